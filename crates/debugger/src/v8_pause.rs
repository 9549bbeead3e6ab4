//! What V8 shows at a pause: the call stack and the variables of its scopes.

use serde_json::{Value, json};

use crate::backend::Limits;
use crate::cdp::Cdp;
use crate::error::Result;
use crate::remote_object::render;
use crate::trace::{Frame, Pause, Scope, ScopeKind, Variable};
use crate::v8::position;

/// What is looked at.
pub(crate) struct Look<'l> {
    /// The program's script.
    pub(crate) script: &'l str,
    /// A function that gives the program's own part of the global object.
    pub(crate) globals: &'l str,
    /// How much.
    pub(crate) limits: &'l Limits,
}

/// Reads a pause from the event that announced it and from the debugger's scopes.
pub(crate) fn read(cdp: &mut Cdp, event: &Value, look: &Look<'_>) -> Result<Pause> {
    let Look { script, globals, limits } = *look;
    let call_frames = event["callFrames"].as_array().map_or(&[][..], Vec::as_slice);
    // All requests first, then all replies: one way over the wire instead of one for each scope.
    let mut requests = Vec::new();
    for (index, frame) in call_frames.iter().take(limits.frames).enumerate() {
        for (kind, scope) in kinds(&frame["scopeChain"]) {
            let label = scope["type"].as_str().unwrap_or_default().to_owned();
            let is_global = label == "global";
            let request = if is_global {
                cdp.send(
                    "Runtime.callFunctionOn",
                    &json!({ "objectId": globals, "functionDeclaration": "function () { return this(); }" }),
                )?
            } else {
                properties(cdp, &scope["object"]["objectId"], limits)?
            };
            requests.push((index, kind, label, is_global, request));
        }
    }
    for (_, _, _, is_global, request) in &mut requests {
        if *is_global && let Ok(part) = cdp.reply(*request)? {
            *request = properties(cdp, &part["result"]["objectId"], limits)?;
            *is_global = false;
        }
    }
    // What was refused has no properties.
    requests.retain(|(_, _, _, is_global, _)| !is_global);
    let mut frames = Vec::with_capacity(call_frames.len());
    for frame in call_frames {
        let inside = frame["location"]["scriptId"] == script;
        frames.push(Frame {
            function: frame["functionName"].as_str().unwrap_or_default().to_owned(),
            location: if inside { Some(position(&frame["location"])?) } else { None },
            scopes: Vec::new(),
        });
    }
    for (index, kind, label, _, request) in requests {
        let Ok(properties) = cdp.reply(request)? else { continue };
        let mut variables = Vec::new();
        for property in properties["result"].as_array().into_iter().flatten() {
            let name = property["name"].as_str().unwrap_or_default();
            let value = render_deep(cdp, property, limits.depth)?;
            variables.push(Variable { name: name.to_owned(), value });
        }
        variables.sort_by(|one, two| one.name.cmp(&two.name));
        frames[index].scopes.push(Scope { kind, label, variables });
    }
    Ok(Pause {
        location: position(&call_frames[0]["location"])?,
        reason: event["reason"].as_str().unwrap_or_default().to_owned(),
        at_breakpoint: event["hitBreakpoints"].as_array().is_some_and(|hits| !hits.is_empty()),
        printed: None,
        frames,
    })
}

/// Asks for the properties of an object.
fn properties(cdp: &mut Cdp, object: &Value, limits: &Limits) -> Result<u64> {
    cdp.send(
        "Runtime.getProperties",
        &json!({ "objectId": object, "ownProperties": true, "generatePreview": limits.depth > 0 }),
    )
}

/// The scopes of a frame with what they belong to: up to the function's own scope they are its own, after it those of
/// enclosing functions.
fn kinds(chain: &Value) -> Vec<(ScopeKind, &Value)> {
    let scopes = chain.as_array().map_or(&[][..], Vec::as_slice);
    let own = scopes.iter().position(|scope| scope["type"] == "local").unwrap_or(scopes.len());
    scopes
        .iter()
        .enumerate()
        .map(|(index, scope)| {
            let kind = match scope["type"].as_str() {
                Some("script" | "global" | "module") => ScopeKind::Global,
                _ if index <= own => ScopeKind::Own,
                _ => ScopeKind::Enclosing,
            };
            (kind, scope)
        })
        .collect()
}

/// A property's value; beyond the preview, objects are asked for their own properties.
fn render_deep(cdp: &mut Cdp, property: &Value, depth: usize) -> Result<String> {
    let Some(value) = property.get("value") else {
        return Ok(if property.get("get").is_some() { "accessor" } else { "unavailable" }.to_owned());
    };
    let object = value["objectId"].as_str();
    let (Some(object), true) = (object, depth > 1 && value["type"] == "object") else {
        return Ok(render(value));
    };
    let properties = cdp.call(
        "Runtime.getProperties",
        &json!({ "objectId": object, "ownProperties": true, "generatePreview": true }),
    )?;
    let mut parts = Vec::new();
    for property in properties["result"].as_array().into_iter().flatten() {
        let name = property["name"].as_str().unwrap_or_default();
        if name != "__proto__" && name != "stack" {
            parts.push(format!("{name}: {}", render_deep(cdp, property, depth - 1)?));
        }
    }
    Ok(format!("{} {{{}}}", value["className"].as_str().unwrap_or("Object"), parts.join(", ")))
}
