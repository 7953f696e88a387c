//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Ties each `--expect` to the `--endpoint` before it.
///
/// The parser collects the values of an option without regard to what stood between them. So before it reads them, every
/// value of `--expect` gets the number of endpoints named so far in front of it.
enum EndpointArguments {
    /// The arguments, with the values of `--expect` numbered; what follows `--` belongs to another command and stays.
    static func numbered(_ arguments: [String]) -> [String] {
        var (result, endpoints): ([String], Int) = ([], 0)
        var isExpectation = false
        for (place, argument) in arguments.enumerated() {
            if isExpectation {
                result.append(number(argument, endpoints))
                isExpectation = false
            } else if argument == "--" {
                return result + arguments[place...]
            } else if argument == "--endpoint" || argument.hasPrefix("--endpoint=") {
                endpoints += 1
                result.append(argument)
            } else if argument == "--expect" {
                isExpectation = true
                result.append(argument)
            } else if argument.hasPrefix("--expect=") {
                result.append("--expect=" + number(String(argument.dropFirst("--expect=".count)), endpoints))
            } else {
                result.append(argument)
            }
        }
        return result
    }

    /// The place of the endpoint that a numbered value belongs to, counted from 1, and the value as it was.
    static func split(_ value: String) -> (endpoint: Int, text: String) {
        let parts = value.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[0]) else { return (0, value) }
        return (number, String(parts[1]))
    }

    private static func number(_ value: String, _ endpoint: Int) -> String { "\(endpoint)\(separator)\(value)" }

    /// The ASCII unit separator, which nobody types.
    private static let separator: Character = "\u{1F}"
}
