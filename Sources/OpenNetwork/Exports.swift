// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
@_exported public import Network
#else
@_exported public import Dispatch
@_exported public import DispatchConstants
@_exported public import FoundationEssentials
// The only name of ours that `import Network` brings in. Without it, a program that imports nothing else would not see
// the cases behind Apple's nested names. A type exported by its own name would also hide the types of that name from
// other modules.
@_exported public import enum NetworkModel.DialtonePathTypes
#endif
