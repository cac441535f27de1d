package bigprog

// The parts of a cell. See writer.block for the marks.

const memory = `    memory {
        stock: Map<String, Int> [persistent]
        price: Map<String, Int> [persistent]
        label: Map<String, String> [persistent]
        log: List<String> [persistent]
        invariant stock >= 0 && stock <= 10000
        invariant price >= 0
    }
`

const machine = `    state order {
        initial: open
        open -> checked
        open -> refused
        checked -> paid
        checked -> refused
        paid -> packed
        packed -> sent
        sent -> received
        sent -> lost
        lost -> refunded
        received -> closed
        refused -> closed
        refunded -> closed
    }
`

// face is the face of a round, with or without frames.
func face(framed bool) string {
	if framed {
		return framedFace
	}
	return plainFace
}

const plainFace = `        signal receive#(id: String, amount: Int) -> Int
        signal sell#(id: String, amount: Int) -> Int
        signal decide#(id: String, text: String) -> String
        signal total#(n: Int) -> Int
        signal names#(text: String) -> String
        signal average#(list: List<Int>) -> Int
        signal close#(id: String) -> String
`

const framedFace = `        signal receive#(id: String, amount: Int) -> Int
            writes stock, log
        signal sell#(id: String, amount: Int) -> Int
            writes stock, price
            moves open -> checked, open -> refused
        signal decide#(id: String, text: String) -> String
            writes label
            moves open -> checked, open -> refused
        signal total#(n: Int) -> Int
            reads stock, price
        signal names#(text: String) -> String
            reads label
        signal average#(list: List<Int>) -> Int
        signal close#(id: String) -> String
            writes log
            moves received -> closed, refused -> closed, refunded -> closed
`

const bodies = `
    on receive#(id: String, amount: Int) {
        require amount > 0 && amount <= 500 else BadAmount "a parcel holds 1 to 500, not {amount}"
        let have = stock.get(id) ?? 0
        let now = have + amount
        if now > 10000 {
            log.push("cell @ round #: {id} is full with {have}")
            return have
        }
        stock.set(id, now)
        log.push("cell @ round #: {id} has {now}")
        return now
    }

    on sell#(id: String, amount: Int) {
        let have = stock.get(id) ?? 0
        if amount <= 0 || amount > have {
            transition(id, "open", "refused")
            return 0
        }
        let fee = match amount {
            1 -> 9
            2..10 -> 7
            11..100 -> {
                let base = 5
                base + _share#(amount, 3)
            }
            _ -> 1
        }
        stock.set(id, have - amount)
        price.set(id, max(amount * fee, 0))
        transition(id, "open", "checked")
        return amount * fee
    }

    on decide#(id: String, text: String) {
        let word = lowercase(trim(text))
        let state = match word {
            "yes" || "ok" -> "checked"
            "no" -> "refused"
            "check " + rest -> if len(rest) > 3 { "checked" } else { "refused" }
            _ -> "refused"
        }
        label.set(id, "{word}: {state}")
        if state == "checked" {
            transition(id, "open", "checked")
        } else {
            transition(id, "open", "refused")
        }
        return state
    }

    on total#(n: Int) {
        let sum = 0
        for key in stock.keys() {
            let here = stock.get(key) ?? 0
            let each = price.get(key) ?? 0
            if here > n {
                sum += here * each
            } else if here == n {
                sum += each
            } else {
                sum -= 1
            }
        }
        let left = n
        while left > 0 {
            left -= 1
            sum += left % 7
        }
        return sum
    }

    on names#(text: String) {
        let found = []
        for word in split(text, ",") {
            let name = trim(word)
            if name == "" { continue }
            let known = label.get(name) ?? "unknown"
            found = push(found, "{name} ({known})")
            if len(found) > 20 { break }
        }
        let upper = found |> map(x => uppercase(x)) |> filter(x => len(x) > 2)
        return join(upper, "; ")
    }

    on average#(list: List<Int>) {
        if len(list) == 0 { return 0 }
        let sum = 0
        for x in list {
            let part = try { _share#(x, len(list)) }
            if part.error == () {
                sum += part.value
            }
        }
        let best = list |> sort() |> reverse()
        let first = best[0]
        return if sum > first { sum } else { first }
    }

    on close#(id: String) {
        log.push("closing {id} in cell @, round #")
        transition(id, "closed")
        return get_status(id)
    }

    on _share#(n: Int, parts: Int) {
        require parts > 0 else NoParts
        let share = idiv(n, parts)
        return share
    }
`

// acrossFace is the signal of a round that asks an earlier cell.
const acrossFace = `        signal across#(id: String, n: Int) -> String   calls Cell^.total#, Cell^.decide#, Cell^.receive#
`

// across is what a cell asks of an earlier one.
const across = `
    on across#(id: String, n: Int) { return _ask#(id, n) }
    on _ask#(id: String, n: Int) {
        let there = Cell^.total#(n)
        if there > 100 {
            let word = Cell^.decide#(id, "check {there}")
            return "{word} after {there}"
        }
        let got = try { Cell^.receive#(id, n) }
        return if got.error == () { "received {got.value}" } else { "failed: {got.kind}" }
    }
`
