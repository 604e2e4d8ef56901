// Loaded into a node before its own code: moves its clock, and writes down what it says to other validators.
import { readFileSync } from 'node:fs'
import { register } from 'node:module'

const { QUOIN_CHAOS_CLOCK: clockFile, QUOIN_CHAOS_TAP: tapFile } = process.env
/** Milliseconds between two looks at the file that says by how many milliseconds the clock is wrong. */
const lookEvery = 100

const trueNow = Date.now
let offset = 0

function look(): void {
  try {
    offset = Number(readFileSync(clockFile!, 'utf8'))
  } catch {
    offset = 0
  }
}

if (clockFile !== undefined) {
  look()
  setInterval(look, lookEvery).unref()
  Date.now = () => trueNow() + offset
}

if (tapFile !== undefined) register('./tapHooks.js', import.meta.url)
