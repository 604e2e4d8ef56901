type Fails = (json: unknown) => Promise<boolean>

/** Requests that are tried at most. */
const patience = 300

/** The smallest request near the given one that still fails. */
export async function minimiseRequest(json: unknown, fails: Fails): Promise<unknown> {
  let best = json
  let left = patience
  for (let found = true; found && left > 0; ) {
    found = false
    for (const smaller of smallerThan(best)) {
      if (left-- <= 0) break
      if (!(await fails(smaller))) continue
      best = smaller
      found = true
      break
    }
  }
  return best
}

/** All values with one part less, the largest parts first. */
function* smallerThan(json: unknown): Generator<unknown> {
  if (Array.isArray(json)) {
    if (json.length > 3) {
      const half = json.length >> 1
      yield json.slice(0, half)
      yield json.slice(half)
    }
    for (const at of json.keys()) yield json.toSpliced(at, 1)
    for (const [at, member] of json.entries()) for (const smaller of smallerThan(member)) yield json.with(at, smaller)
  } else if (typeof json === 'object' && json !== null) {
    const entries = Object.entries(json)
    for (const at of entries.keys()) yield Object.fromEntries(entries.toSpliced(at, 1))
    for (const [name, member] of entries) for (const smaller of smallerThan(member)) yield { ...json, [name]: smaller }
  } else if (typeof json === 'string' && json.length > 2) {
    const half = json.length >> 1
    yield json.slice(0, half)
    if (json.startsWith('0x')) yield `0x${json.slice(2 + 2 * Math.ceil((json.length - 2) / 4))}`
  }
}
