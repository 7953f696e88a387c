//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Checks over the interface that a path leaves by, even where the system would rather use another.
///
/// For a monitor of paths over certain interfaces only: an unbound check would tell of the system's own choice.
public struct InterfaceBoundCheck: InternetChecking {
    private let configuration: InternetCheck.Configuration
    private let isBound: Bool
    private let prober: any Prober

    /// Makes a check.
    ///
    /// - Parameters:
    ///   - configuration: what is asked; its binding is replaced.
    ///   - isBound: false leaves the choice of the interface to the system.
    ///   - prober: sends the requests.
    public init(
        _ configuration: InternetCheck.Configuration, isBound: Bool = true,
        prober: any Prober = InternetCheck.systemProber
    ) {
        self.configuration = configuration
        self.isBound = isBound
        self.prober = prober
    }

    /// Checks over the first interface of a path.
    ///
    /// A configuration that cannot be gives an inconclusive report.
    public func check(over path: NetworkPath) async -> InternetCheck.Report {
        var configuration = configuration
        if isBound, let interface = path.interfaces.first {
            configuration.binding = .interfaceOrItsAddress(interface.name)
        }
        guard let check = try? InternetCheck(configuration, prober: prober) else {
            return InternetCheck.Report(verdict: .inconclusive, checkedAt: .now)
        }
        return await check.check(over: path)
    }
}

extension InternetCheck: InternetChecking {
    /// Checks, whatever the path: the system chooses the way.
    ///
    /// A captive portal that was announced on a link which the path does not leave by is not this path's.
    public func check(over path: NetworkPath) async -> Report { await run(on: path.announcingLink) }
}

extension NetworkPath {
    /// The index of the link whose network may have announced a captive portal; nil where it cannot be told.
    ///
    /// Nobody announces one in a tunnel, and which link carries that is not part of a path.
    fileprivate var announcingLink: Int? {
        interfaces.first.flatMap { $0.type == .other ? nil : $0.index }
    }
}
