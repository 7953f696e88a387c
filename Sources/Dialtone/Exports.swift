// SPDX-License-Identifier: Apache-2.0

@_exported public import DialtoneChecks
@_exported public import DialtoneConnectivity
@_exported public import DialtoneHosts
@_exported public import DialtoneWaiting
@_exported public import NetworkModel
@_exported public import OpenNetwork
