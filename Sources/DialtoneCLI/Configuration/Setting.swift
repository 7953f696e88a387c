//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Configuration

/// What can be set by an option, by an environment variable and in a file.
enum Setting: String, CaseIterable {
    case endpoints, quorum, timeout, family, interval, passive, costs

    /// What its values are.
    enum Kind {
        case text, number, truth, texts
    }

    var kind: Kind {
        switch self {
        case .quorum, .family: .text
        case .timeout, .interval: .number
        case .passive: .truth
        case .endpoints, .costs: .texts
        }
    }

    /// In words, for those who gave something else.
    var form: String {
        switch self {
        case .endpoints: "a list of texts: a URL, or a URL, a blank and what it must answer"
        case .quorum: "a number, or a text such as \"50%\""
        case .timeout, .interval: "a number of seconds"
        case .family: "\"4\", \"6\" or \"any\""
        case .passive: "true or false"
        case .costs: "a list of texts such as \"type:cellular=inexpensive\""
        }
    }

    /// The option of the command line.
    var option: String {
        switch self {
        case .endpoints: "--endpoint"
        case .costs: "--cost"
        default: "--\(rawValue)"
        }
    }

    /// The variable of the environment.
    var variable: String { "DIALTONE_\(rawValue.uppercased())" }

    /// Its key with every provider.
    var key: AbsoluteConfigKey { AbsoluteConfigKey(["dialtone", rawValue]) }
}
