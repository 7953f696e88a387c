// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneAgent

extension Router {
    /// `POST /check`: checks the Internet now.
    func checkNow() throws(Refusal) -> Response {
        guard visitors.mayCheck() else { throw Refusal(429, "Too many requests. Try again shortly.") }
        agent.monitor.requestCheck()
        return .seeOther("/")
    }

    /// `/login`: shows the form, and handles the token that it sends.
    func logIn(_ request: Request) async -> Response {
        guard accessControl.token != nil else { return .seeOther("/") }
        func page(_ problem: String? = nil, status: Int = 200) -> Response {
            .page(LoginPage.html(machine: machineName, problem: problem).description, status: status)
        }
        guard request.method == "POST" else { return page() }
        let epoch = visitors.tokenEpoch
        if let (status, message) = await wrongToken(request.form["token"] ?? "", by: "form") {
            return page(message, status: status)
        }
        guard let word = visitors.beginSession(inEpoch: epoch) else { return page("Wrong token.", status: 401) }
        return .seeOther("/").adding("Set-Cookie", cookie(word, seconds: Sessions.length.components.seconds, request))
    }

    /// `POST /logout`: ends the session, here and in the browser.
    func logOut(_ request: Request, session: String?) -> Response {
        if let session { visitors.endSession(session) }
        return .seeOther("/login").adding("Set-Cookie", cookie("", seconds: 0, request))
    }

    /// The session's cookie.
    ///
    /// Browsers send it only over HTTPS if the request was sent over HTTPS.
    private func cookie(_ word: String, seconds: Int64, _ request: Request) -> String {
        "\(Sessions.cookie)=\(word); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
            + (request.isSecure ? "; Secure" : "")
    }

    /// Compares a token.
    ///
    /// - Returns: nil for the right token, else the status and the reason, after the delay for a wrong token.
    func wrongToken(_ text: String, by way: String) async -> (status: Int, message: String)? {
        switch throttle.attempt(isRight: accessControl.token?.matches(text) ?? false, by: way) {
        case .right: return nil
        case .refused: return (429, "Too many wrong tokens. Try again shortly.")
        case .wrong:
            await throttle.delay()
            return (401, "Wrong token.")
        }
    }
}
