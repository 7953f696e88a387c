// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandSupport

/// The form of the output: `--json` and `--passive`.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON: one object, or one a line when it streams.")
    var json = false

    @Flag(.passive) var passive: Bool?

    /// The values that these options define.
    var values: SettingValues { SettingValues(flags: [.passive: passive]) }
}
