// SPDX-License-Identifier: Apache-2.0

extension NetworkRequester {
    /// A text that explains an outcome to a user: the problem, and the next step.
    ///
    /// The texts are in English. To show another language, choose your own texts by the outcome.
    public struct Advice: Hashable, Sendable {
        /// The problem in a few words, suitable as a heading.
        public var title: String
        /// The next step, in a sentence or two.
        public var instruction: String

        /// Creates advice from its texts.
        public init(title: String, instruction: String) {
            self.title = title
            self.instruction = instruction
        }
    }
}

extension NetworkRequester.Outcome {
    /// The text to show to the user.
    public var advice: NetworkRequester.Advice {
        var advice = generalAdvice
        if let status { advice.instruction += " (\(status))" }
        return advice
    }

    /// The text to show to the user if the cause in the network may be known, which is then the instruction.
    func advice(because reason: String?) -> NetworkRequester.Advice {
        var advice = advice
        if let reason { advice.instruction = reason }
        return advice
    }

    private var generalAdvice: NetworkRequester.Advice {
        switch self {
        case .delivered: .init(title: "Online", instruction: "Based upon your last request, you are online.")
        case .serverError:
            .init(title: "The server has a problem", instruction: "Your connection works. Please try again later.")
        case .clientError:
            .init(
                title: "The server declined the request",
                instruction: "Your connection works. Check what you entered and whether you are signed in.")
        case .unexpectedBody:
            .init(
                title: "Unexpected answer",
                instruction:
                    "Something answered, but not as expected. If this network has a login page, sign in there first.")
        case .offline: .init(title: "You are offline", instruction: "Check your connection and try again.")
        case .timedOut:
            .init(
                title: "No answer in time",
                instruction: "You are connected, but the server did not answer. Try again, or try another network.")
        case .nameNotFound:
            .init(
                title: "Server not found",
                instruction: "You are connected, but the server's name was not found. Check the address and try again.")
        case .cannotConnect:
            .init(
                title: "Server not reachable",
                instruction: "You are connected, but the server cannot be reached. Please try again later.")
        case .connectionLost:
            .init(title: "Connection lost", instruction: "The connection to the server was lost. Please try again.")
        case .tlsFailure:
            .init(
                title: "No secure connection",
                instruction:
                    "The server could not prove who it is. Check this device's date and time, and whether this network "
                    + "can be trusted.")
        case .captivePortal:
            .init(
                title: "Sign in to the network",
                instruction: "This network requires you to sign in before you can go online.")
        case .cancelled: .init(title: "Cancelled", instruction: "The request was cancelled.")
        case .failed: .init(title: "That did not work", instruction: "The request failed. Please try again.")
        }
    }
}

extension NetworkRequester.Status {
    /// The text to show to the user.
    public var advice: NetworkRequester.Advice {
        switch state {
        case .checking: NetworkRequester.Advice(title: "Checking", instruction: "The request is under way.")
        case .unknown: Self.unknownAdvice
        default: outcome?.advice(because: reason) ?? Self.unknownAdvice
        }
    }

    private static let unknownAdvice = NetworkRequester.Advice(
        title: "Not known yet", instruction: "Request data to find out.")
}
