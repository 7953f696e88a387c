// SPDX-License-Identifier: Apache-2.0

@_exported public import Dialtone
@_exported public import Foundation
@_exported public import OpenNetwork
@_exported public import OpenSystemConfiguration
