// SPDX-License-Identifier: Apache-2.0

public import Netlink
package import NetworkModel
public import NetworkState
import SystemSupport

/// Plays a recording: a subscriber receives the same updates as the subscribers of the recorded source.
///
/// The first recorded state is the current one from the start; each `advance()` delivers the next.
public final class ReplaySource: NetworkStateSource {
    private let source: ScriptedSource
    private let coming: Mutex<ArraySlice<NetworkSnapshot>>

    /// Creates a source at the start of a recording.
    ///
    /// - Throws: `truncated` or `malformed` when a recorded datagram is.
    public init(_ recording: NetworkRecording) throws(NetlinkError) {
        let snapshots = try recording.snapshots()
        source = ScriptedSource(snapshots.first)
        coming = Mutex(snapshots.dropFirst())
    }

    /// Delivers the next recorded state.
    ///
    /// - Returns: false at the end of the recording.
    @discardableResult
    public func advance() -> Bool {
        guard let next = coming.withLock({ $0.popFirst() }) else { return false }
        source.publish(next)
        return true
    }

    /// Subscribes: see `NetworkStateSource`.
    ///
    /// Calls come on the thread that subscribes or advances.
    package func subscribe(_ receive: @escaping @Sendable (NetworkUpdate) -> Void) -> UpdateSubscription {
        source.subscribe(receive)
    }
}
