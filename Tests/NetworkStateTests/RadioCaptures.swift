// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// Link messages of Linux 6.1 for a simulated radio and a modem on a software USB port, recorded with `LabProbe record`.
///
/// Counters and per-family settings are left out (`IFLA_STATS`, `IFLA_STATS64`, `IFLA_AF_SPEC`, `IFLA_MAP`,
/// `IFLA_PROP_LIST`).
enum RadioCaptures {
    static let radiosAppear = CaptureFile.messages("radio/radiosAppear")
    static let joinWPA2 = CaptureFile.messages("radio/joinWPA2")
    static let accessPointStops = CaptureFile.messages("radio/accessPointStops")
    static let modemAppears = CaptureFile.messages("radio/modemAppears")
    static let modemCarriesBareIP = CaptureFile.messages("radio/modemCarriesBareIP")
}
