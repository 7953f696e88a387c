//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone
import Logging

extension Router {
    /// `POST /request`: the button.
    func makeRequest(_ request: Request) -> Response {
        if request.form["action"] == "cancel" {
            watch.cancelRequest()
        } else {
            guard visitors.may(.request) else { return .seeOther("/?notice=\(Notice.tooOften.rawValue)") }
            watch.startRequest()
        }
        let window = request.form["window"].flatMap(TimelineWindow.init(rawValue:)) ?? .day
        return .seeOther(Self.address(window, turn: "0"))
    }

    /// `POST /hosts`: a host that a visitor typed.
    ///
    /// Only its reachability is looked up, which sends packets to name servers alone; and only with `--demo`.
    func addHost(_ request: Request) -> Response {
        guard watch.demo != nil else { return refusal(403, Notice.notHere.words, request) }
        guard visitors.may(.host) else { return .seeOther("/?notice=\(Notice.tooOften.rawValue)") }
        guard let text = request.form["host"], text.utf8.count <= 253, let target = try? HostTarget(text) else {
            return .seeOther("/?notice=\(Notice.badHost.rawValue)")
        }
        watch.add(target)
        return .seeOther("/")
    }

    /// `POST /simulate`: another network is played.
    func simulate(_ request: Request) -> Response {
        guard watch.demo != nil else { return refusal(404, "Nothing is played here without --demo.", request) }
        let name = request.form["scene"] ?? ""
        let scene = DemoScene(rawValue: name)
        guard name.isEmpty || scene != nil else { return refusal(422, "There is no such scene.", request) }
        guard visitors.may(.scene) else { return .seeOther("/?notice=\(Notice.tooOften.rawValue)") }
        watch.play(scene)
        return .seeOther("/")
    }

    /// `/login`: the form, and what it sends.
    func logIn(_ request: Request) -> Response {
        guard let token = gate.token else { return .seeOther("/") }
        func page(_ problem: String? = nil, status: Int = 200) -> Response {
            .page(LoginPage.html(machine: configuration.machineName, problem: problem).description, status: status)
        }
        guard request.method == "POST" else { return page() }
        guard let text = request.form["token"], token.matches(text) else {
            let (status, message) = wrongToken(by: "form")
            return page(message, status: status)
        }
        let word = visitors.beginSession()
        return .seeOther("/").adding(
            "Set-Cookie",
            "\(Sessions.cookie)=\(word); Path=/; Max-Age=\(Sessions.length.components.seconds); HttpOnly; SameSite=Strict"
        )
    }

    /// `POST /logout`: the session ends here, and in the browser.
    func logOut(_ session: String?) -> Response {
        if let session { visitors.endSession(session) }
        return .seeOther("/login").adding(
            "Set-Cookie", "\(Sessions.cookie)=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict")
    }

    /// What is said to who shows a wrong token.
    ///
    /// One limit is for all wrong ones. It keeps nobody out who shows the right one, and bounds the log.
    func wrongToken(by way: String) -> (status: Int, message: String) {
        guard visitors.may(.wrongToken) else { return (429, "That was a little often. Please wait a moment.") }
        logger.warning("login refused", metadata: ["by": "\(way)"])
        return (401, "That is not the token.")
    }
}
