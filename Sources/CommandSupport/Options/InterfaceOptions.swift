// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
package import Dialtone

/// The interfaces to use: `--interface` and `--not`.
package struct InterfaceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Use only interfaces of this type (\(InterfaceKind.list)), or the interface with this name.",
            valueName: "type|name"))
    package var interface: String?

    @Option(
        name: .customLong("not"),
        help: ArgumentHelp("Do not use interfaces of this type. (may be repeated)", valueName: "type"))
    package var prohibited: [InterfaceKind] = []

    package init() {}

    /// Whether every interface counts.
    package var isEmpty: Bool { interface == nil && prohibited.isEmpty }

    /// The filter that these options define.
    ///
    /// - Parameter mayBeMissing: whether the option may name an interface that does not exist yet.
    /// - Throws: `SettingsError` if no interface has the name.
    package func filter(mayBeMissing: Bool = false) throws(SettingsError) -> PathFilter {
        var filter = PathFilter(prohibitedTypes: Set(prohibited.map(\.type)))
        guard let interface else { return filter }
        if let kind = InterfaceKind(rawValue: interface) {
            filter.requiredType = kind.type
        } else {
            let names = NetworkPath.interfacesOfThisMachine().map(\.name)
            guard mayBeMissing || names.contains(interface) else {
                throw SettingsError(
                    .option("--interface"),
                    "no interface is named '\(interface)'; the interfaces are \(names.joined(separator: ", ")), "
                        + "the types \(InterfaceKind.list)")
            }
            filter.interfaceName = interface
        }
        return filter
    }
}

extension InterfaceKind: ExpressibleByArgument {}
