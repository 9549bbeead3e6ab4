def light(state, event):
    if state == "red" and event == "timer":
        return "green"
    if state == "green" and event == "timer":
        return "red"
    return state


now = "red"
for event in ["timer", "noise", "timer"]:
    now = light(now, event)
    print(event, now)
