//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Configuration

/// What can be set by an option, by an environment variable and in a file.
enum Setting: String, CaseIterable {
    case endpoints, quorum, timeout, family, interval, passive, costs
    // Those of the server; that of the directory is the history's, too.
    case listen, hosts, demo
    case dataDirectory = "data-dir"
    case allowedHosts = "allow-hosts"
    case tokenFile = "token-file"
    case requestURL = "request-url"
    case logLevel = "log-level"

    /// What its values are.
    enum Kind {
        case text, number, truth, texts
    }

    var kind: Kind {
        switch self {
        case .quorum, .family, .listen, .dataDirectory, .tokenFile, .requestURL, .logLevel: .text
        case .timeout, .interval: .number
        case .passive, .demo: .truth
        case .endpoints, .costs, .hosts, .allowedHosts: .texts
        }
    }

    /// In words, for those who gave something else.
    var form: String {
        switch self {
        case .endpoints: "a list of texts: a URL, or a URL, a blank and what it must answer"
        case .quorum: "a number, or a text such as \"50%\""
        case .timeout, .interval: "a number of seconds"
        case .family: "\"4\", \"6\" or \"any\""
        case .passive, .demo: "true or false"
        case .costs: "a list of texts such as \"type:cellular=inexpensive\""
        case .listen: "a text such as \"127.0.0.1:4780\""
        case .dataDirectory: "the path of a directory"
        case .tokenFile: "the path of a file"
        case .requestURL: "a URL"
        case .logLevel: "a text such as \"info\""
        case .hosts, .allowedHosts: "a list of texts, each a host"
        }
    }

    /// The option of the command line.
    var option: String {
        switch self {
        case .endpoints: "--endpoint"
        case .costs: "--cost"
        case .hosts: "--host"
        case .allowedHosts: "--allow-host"
        default: "--\(rawValue)"
        }
    }

    /// The variable of the environment.
    var variable: String { "DIALTONE_\(rawValue.uppercased().replacing("-", with: "_"))" }

    /// Its key with every provider.
    var key: AbsoluteConfigKey { AbsoluteConfigKey(["dialtone", rawValue]) }
}
