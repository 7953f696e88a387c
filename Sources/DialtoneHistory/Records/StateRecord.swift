// SPDX-License-Identifier: Apache-2.0

package import Dialtone

/// A state, and what explains it.
package protocol StateRecord {
    var state: HistoryState { get }
    var cause: HistoryCause? { get }
    var interfaceName: String? { get }
    var interfaceType: String? { get }
    var reason: String? { get }
    var fault: ConnectivityFault? { get }
}

extension HistoryTransition: StateRecord {}
extension Timeline.Span: StateRecord {}
extension Outage: StateRecord {}
