// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
@_exported public import Network
#else
@_exported public import Dispatch
@_exported public import DispatchConstants
@_exported public import FoundationEssentials
// Exported one by one, so that `import Network` brings in no other names of ours. Without these, a program that imports
// nothing else would not see the cases behind Apple's nested names.
@_exported public import enum NetworkModel.InterfaceType
@_exported public import enum NetworkModel.LinkQuality
@_exported public import enum NetworkModel.PathStatus
@_exported public import enum NetworkModel.UnsatisfiedReason
#endif
