// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneAgent
import DialtoneHistory
import Foundation
import Logging

/// Records transitions and changes of a host without end, and sends them to a collector, so that tests can kill it.
///
/// Its arguments are the directory, the URL of the collector and the number of the first record. With `drain` for the number it
/// records nothing, and ends once all events are acknowledged. With `outages` after it, it records the transitions of outages
/// whose fault is found later, and reports each change before and after it is recorded.
@main
struct EventWriter {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 4 else { exit(64) }
        let store = await HistoryStore.open(at: URL(filePath: arguments[1]))
        let sender = EventSender(
            store, machine: "tester", proxies: .bypass,
            logger: Logger(label: "", factory: { _ in SwiftLogNoOpLogHandler() }))
        sender.setTarget(try EventTarget(arguments[2]))
        sender.connectivityChanged(to: .online)
        say("open")
        guard let first = Int(arguments[3]) else {
            await store.flush()
            // clock: the store reports no acknowledgement.
            while store.pendingEvents != 0 { try await Task.sleep(for: .milliseconds(5)) }
            // The cursor is written with the last acknowledgement.
            await store.close()
            return
        }
        if arguments.last == "outages" { try await recordOutages(store, first) }
        for number in first... {
            store.record(
                HistoryTransition(
                    time: now, state: number.isMultiple(of: 2) ? .online : .offline,
                    cause: HistoryCause(rawValue: "n\(number)")))
            store.record(
                HostChange(time: now, host: "h\(number)", isReachable: number.isMultiple(of: 2), reason: nil))
            await store.flush()
            say("\(number)")
            // clock: its pace, so that a round has few records.
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    private static var now: Date { TimeSource.system.moment.realtime }

    private static func recordOutages(_ store: HistoryStore, _ first: Int) async throws {
        var sequence = TransitionSequence()
        for number in first... {
            let values: [(String, ConnectivityState, ConnectivityFault?)] = [
                ("n\(number)", .noInternet, nil), ("f\(number)", .noInternet, .provider), ("o\(number)", .online, nil),
            ]
            for (name, state, fault) in values {
                say("change \(name)")
                let seen = Transition(
                    state: state, cause: ConnectivityCause(rawValue: name), reason: "\(name).", fault: fault, time: now)
                if let transition = sequence.next(seen) { store.record(HistoryTransition(transition)) }
                await store.flush()
                say("recorded \(name)")
                // clock: as above.
                try await Task.sleep(for: .milliseconds(2))
            }
        }
    }

    static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
