// SPDX-License-Identifier: Apache-2.0

@_exported public import NetworkModel
@_exported public import OpenNetwork
