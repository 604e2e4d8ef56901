import { existsSync, readFileSync } from 'node:fs'
import { devAccounts } from '../../src/forks/devGenesis.ts'
import { publicSystemContracts } from '../../src/forks/systemContracts.ts'
import { fromHex, hexToAddress, toHex } from '../../src/primitives/hex.ts'
import { encodeTx } from '../../src/types/encodeTx.ts'
import { signTx } from '../../src/types/signTx.ts'
import { type Outcome, runCommand } from './command.ts'
import { quoinProgram } from './quoinProcess.ts'
import { eventually, type RpcNode } from './rpcNode.ts'

/** A node with a chain, and its genesis file. */
export interface PlanSeat {
  readonly folder: string
  readonly genesisFile: string
}

/** What blocks call from Cancun and Prague on. */
export const contracts = Object.values(publicSystemContracts).map(toHex)

/** The file with forks at these times; without a plan, which would care for the contracts. */
export function withForks(genesis: object, times: Readonly<Record<string, number>>, more: object = {}): string {
  const { config } = genesis as { config: object }
  return JSON.stringify({ ...genesis, config: { ...config, ...times, ...more } })
}

/** The command line of Quoin. */
export const quoin = (...args: readonly string[]): Promise<Outcome> =>
  runCommand(process.execPath, [quoinProgram, ...args])

/** The plan that `upgrade plan` makes of a running network: its text, and the file that it writes. */
export async function planOf(seat: PlanSeat, oldestBesu: string | undefined, output: string): Promise<string> {
  const besu = oldestBesu === undefined ? [] : [`--besu=${oldestBesu}`]
  const { code, stdout, stderr } = await quoin(
    `--data-path=${seat.folder}`,
    ...['upgrade', 'plan', `--genesis-file=${seat.genesisFile}`, '--to=osaka', ...besu, `--output=${output}`],
  )
  if (code !== 0 || !existsSync(output)) throw new Error(stderr)
  return stdout
}

/** The file of the plan, whose forks are days away, with forks that a test can wait for. */
export function hastened(file: string, shanghai: number, step: number): { text: string; osaka: number } {
  const genesis = JSON.parse(readFileSync(file, 'utf8'))
  const [prague, osaka] = [shanghai + step, shanghai + step + 10]
  const times = { shanghaiTime: shanghai, cancunTime: shanghai, pragueTime: prague, osakaTime: osaka }
  for (const key of Object.keys(times)) if (!(key in genesis.config)) throw new Error(`the plan does not name ${key}`)
  return { text: withForks(genesis, times), osaka }
}

/** Sends the transactions that the plan prints, each with its cost to its sender before. */
export async function makeContracts(plan: string, through: RpcNode): Promise<void> {
  const steps = [...plan.matchAll(/send (\d+) wei to (0x[0-9a-f]{40}),[^\n]*\n(0x[0-9a-f]+)/g)]
  if (steps.length !== contracts.length) throw new Error(`${steps.length} transactions in: ${plan}`)
  let nonce = 0n
  const mined = (hash: string) =>
    eventually(`${hash} is in a block`, () =>
      through.call<{ status: string } | null>('eth_getTransactionReceipt', hash),
    )
  for (const [, cost, sender, raw] of steps) {
    const to = hexToAddress(sender!)
    const body = { to, value: BigInt(cost!), data: new Uint8Array(0), gasLimit: 21_000n, gasPrice: 0n }
    const paid = signTx({ type: 0, chainId: 1337n, nonce: nonce++, ...body }, fromHex(devAccounts[1].privateKey))
    await mined(await through.call<string>('eth_sendRawTransaction', toHex(encodeTx(paid))))
    const { status } = await mined(await through.call<string>('eth_sendRawTransaction', raw))
    if (status !== '0x1') throw new Error(`the transaction of the plan fails: ${raw}`)
  }
}
