// SPDX-License-Identifier: Apache-2.0

public import SystemSupport

/// The answer of a network's captive portal API (RFC 8908, section 5).
public struct CaptivePortalState: Hashable, Sendable {
    /// Whether the network blocks this host until a login.
    public var isCaptive: Bool
    /// The login page, for a browser; always `https`.
    public var userPortal: URL?
    /// A page about the venue that runs the network; always `https`.
    public var venueInfo: URL?
    /// Whether the session can be extended at the login page.
    public var canExtendSession: Bool?
    /// The time until the session ends.
    public var remainingTime: Duration?
    /// The number of bytes until the session ends.
    public var remainingBytes: UInt64?

    /// Creates a state, for tests.
    public init(
        isCaptive: Bool, userPortal: URL? = nil, venueInfo: URL? = nil, canExtendSession: Bool? = nil,
        remainingTime: Duration? = nil, remainingBytes: UInt64? = nil
    ) {
        self.isCaptive = isCaptive
        self.userPortal = userPortal
        self.venueInfo = venueInfo
        self.canExtendSession = canExtendSession
        self.remainingTime = remainingTime
        self.remainingBytes = remainingBytes
    }

    /// Reads the JSON of the API.
    ///
    /// Unknown keys are ignored. An optional key of the wrong type, and a page that is not at an `https` URL,
    /// are ignored, too; the key `captive` is required.
    ///
    /// - Throws: `unexpectedAnswer` for other text.
    public init(json: [UInt8]) throws(ProbeError) {
        guard String(validUTF8: json) != nil else { throw CaptivePortalAPI.unexpected("not UTF-8") }
        do {
            self = try JSONDecoder().decode(Wire.self, from: Data(json)).state
        } catch {
            throw CaptivePortalAPI.unexpected("not a JSON object with the key captive")
        }
    }

    /// A century: a larger number is not a plausible duration of a session.
    private static let mostSeconds: UInt64 = 3_155_760_000

    private static func page(_ text: String?) -> URL? {
        guard let url = text.flatMap({ PortalURL.usable($0) }), url.scheme?.lowercased() == "https" else { return nil }
        return url
    }

    /// The object as RFC 8908 spells it.
    private struct Wire: Decodable {
        let state: CaptivePortalState

        private enum Key: String, CodingKey {
            case captive
            case userPortal = "user-portal-url"
            case venueInfo = "venue-info-url"
            case canExtendSession = "can-extend-session"
            case secondsRemaining = "seconds-remaining"
            case bytesRemaining = "bytes-remaining"
        }

        init(from decoder: any Decoder) throws {
            let object = try decoder.container(keyedBy: Key.self)
            let page = { (key: Key) in CaptivePortalState.page(try? object.decode(String.self, forKey: key)) }
            let seconds = try? object.decode(UInt64.self, forKey: .secondsRemaining)
            state = CaptivePortalState(
                isCaptive: try object.decode(Bool.self, forKey: .captive), userPortal: page(.userPortal),
                venueInfo: page(.venueInfo), canExtendSession: try? object.decode(Bool.self, forKey: .canExtendSession),
                remainingTime: seconds.flatMap { $0 <= mostSeconds ? .seconds($0) : nil },
                remainingBytes: try? object.decode(UInt64.self, forKey: .bytesRemaining))
        }
    }
}
