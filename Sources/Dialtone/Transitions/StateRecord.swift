// SPDX-License-Identifier: Apache-2.0

/// A state, and what explains it.
package struct StateRecord: Codable, Hashable, Sendable {
    package var state: HistoryState
    package var cause: HistoryCause?
    /// The preferred interface, such as `wlan0`, or, without a path, the one at fault.
    package var interfaceName: String?
    /// The type of the underlying interface, as in the JSON report: `wifi`, `cellular`, `wiredEthernet`, `loopback`,
    /// `other`.
    package var interfaceType: String?
    /// The reason, as a sentence; nil in records of older versions, and in those of the history itself.
    package var reason: String?
    package var fault: ConnectivityFault?

    package init(
        _ state: HistoryState, cause: HistoryCause? = nil, interfaceName: String? = nil, interfaceType: String? = nil,
        reason: String? = nil, fault: ConnectivityFault? = nil
    ) {
        self.state = state
        self.cause = cause
        self.fault = fault
        self.interfaceName = interfaceName?.shortened(to: 64)
        self.interfaceType = interfaceType?.shortened(to: 64)
        self.reason = reason?.shortened(to: 1000)
    }
}

/// A value that has a state record, whose fields are also its own.
///
/// Reading one of them in another module copies the whole record; code that reads many values uses `record.state`.
package protocol StateRecordProtocol {
    var record: StateRecord { get }
}

extension StateRecordProtocol {
    package var state: HistoryState { record.state }
    package var cause: HistoryCause? { record.cause }
    package var interfaceName: String? { record.interfaceName }
    package var interfaceType: String? { record.interfaceType }
    package var reason: String? { record.reason }
    package var fault: ConnectivityFault? { record.fault }
}
