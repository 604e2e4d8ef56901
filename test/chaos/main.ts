import { parseArgs } from 'node:util'
import { createChecks } from '../interop/checks.ts'
import { withCampaignFolder } from '../support/campaignFolder.ts'
import { runChaos } from './runChaos.ts'

const usage = `Usage: npm run chaos -- [--minutes M] [--seed S] [--validators N] [--consensus ENGINE]

A network of real nodes under kill -9, SIGSTOP, partitions, slow links, wrong clocks, a full disk and transactions.
Partitions need root and iproute2; what this machine cannot do is left out and told.

--minutes M         How long (default 5).
--seed S            Decides what happens when (default: taken from the clock).
--validators N      4 to 10 (default 4).
--consensus ENGINE  qbft (default) or ibft2.
`

const text = { type: 'string' } as const

/** A command line that cannot be understood. */
class UsageError extends Error {}

function read() {
  try {
    const options = { minutes: text, seed: text, validators: text, consensus: text, help: { type: 'boolean' } } as const
    return parseArgs({ options }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function numberOf(name: string, given: string | undefined, otherwise: number, min: number, max: number): number {
  const value = given === undefined ? otherwise : Number(given)
  if (!(value >= min && value <= max)) throw new UsageError(`--${name} takes ${min} to ${max}, not '${given}'.`)
  return value
}

async function main(): Promise<number> {
  const values = read()
  if (values.help) {
    process.stdout.write(usage)
    return 0
  }
  const { consensus = 'qbft' } = values
  if (consensus !== 'qbft' && consensus !== 'ibft2') throw new UsageError(`--consensus knows qbft and ibft2.`)
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort())
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  const checks = createChecks(print)
  const options = {
    minutes: numberOf('minutes', values.minutes, 5, 0, 24 * 60),
    seed: numberOf('seed', values.seed, Date.now() % 1_000_000, 0, 2 ** 31),
    validators: Math.floor(numberOf('validators', values.validators, 4, 4, 10)),
    consensus,
    signal: interruption.signal,
    checks,
    print,
  } as const
  await withCampaignFolder('chaos', (folder) => checks.step('runs to its end', () => runChaos({ ...options, folder })))
  print(`${checks.passed} passed, ${checks.failed} failed`)
  return checks.failed === 0 && !interruption.signal.aborted ? 0 : 1
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(error.message + '\n')
  process.exitCode = 2
}
