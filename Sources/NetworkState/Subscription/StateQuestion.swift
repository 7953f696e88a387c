// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import Netlink

/// A question about the current state, which the kernel source's thread answers once.
///
/// A question that is released without an answer, because the thread ends or its sockets fail, is answered with nil.
final class StateQuestion: Sendable {
    /// Returns more lookups that the answer must contain, which depend on the state.
    typealias More = @Sendable (EvaluatedSnapshot) -> Set<RouteLookup>

    /// The lookups that the answer must contain.
    let hosts: Set<RouteLookup>
    let more: More
    private let receive: @Sendable (EvaluatedSnapshot?) -> Void

    /// Creates a question.
    ///
    /// - Parameter receive: called with the answer, quickly and outside any lock; later calls have no meaning.
    init(
        _ hosts: Set<RouteLookup>, then more: @escaping More,
        _ receive: @escaping @Sendable (EvaluatedSnapshot?) -> Void
    ) {
        self.hosts = hosts
        self.more = more
        self.receive = receive
    }

    deinit { receive(nil) }

    func answer(_ state: EvaluatedSnapshot) { receive(state) }
}
#endif
