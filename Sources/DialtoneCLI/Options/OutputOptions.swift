//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Configuration

/// How to tell it: `--json` and `--passive`.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON: one object, or one a line when it streams.")
    var json = false

    @Flag(inversion: .prefixedNo, help: "Send no packet: say only whether there is a path.")
    var passive: Bool?

    /// What these options set.
    var values: [Setting: ConfigContent] { passive.map { [.passive: .bool($0)] } ?? [:] }
}
