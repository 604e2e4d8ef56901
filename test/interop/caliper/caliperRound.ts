import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, copyFileSync, mkdirSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../src/primitives/packageRoot.ts'
import { createPackages } from '../packages.ts'
import { accounts } from '../toolChain.ts'
import { type CaliperContract, seed, workers } from './caliperContracts.ts'
import { type RoundResult, readResult } from './roundResult.ts'

/** Caliper, and the client library that `caliper bind` would install for Besu. */
export const caliperPackages = createPackages('caliper', ['@hyperledger/caliper-cli@0.6.0', 'web3@1.3.0'])

/** What is called. */
export interface CaliperCall {
  readonly contract: 'simple' | 'ERC20'
  readonly verb: 'open' | 'query' | 'transfer'
}

export interface RoundTerms {
  readonly call: CaliperCall
  /** Calls a second of all workers together. */
  readonly rate: number
  readonly seconds: number
  /** The first that `open` opens; accounts of former rounds are not new any more. */
  readonly firstAccount: number
}

/** Accounts that are opened before others transfer between them, as in Caliper's own configuration. */
export const openedAccounts = 1000
/** Seconds that Caliper may take beside the time of a round: web3 waits 50 blocks for a receipt. */
const patience = 150

/** Makes the folder that Caliper works in; what it requires is found from there. */
export function writeWorkspace(
  folder: string,
  url: string,
  contracts: Readonly<Record<CaliperCall['contract'], CaliperContract>>,
): void {
  mkdirSync(folder)
  symlinkSync(join(caliperPackages.folder, 'node_modules'), join(folder, 'node_modules'))
  copyFileSync(join(packageRoot, 'test/interop/caliper/workload.cjs'), join(folder, 'workload.cjs'))
  const ethereum = {
    url,
    chainId: 1337,
    gasPrice: 0,
    contractDeployerAddress: accounts[0]!.address,
    contractDeployerAddressPrivateKey: accounts[0]!.key,
    fromAddressSeed: seed,
    transactionConfirmationBlocks: 2,
    contracts,
  }
  writeFileSync(join(folder, 'network.json'), JSON.stringify({ caliper: { blockchain: 'ethereum' }, ethereum }))
}

/** Lets Caliper call at a fixed rate, and reads its report. */
export async function runRound(
  folder: string,
  { call, rate, seconds, firstAccount }: RoundTerms,
): Promise<RoundResult> {
  const label = `${call.contract}-${call.verb}`
  const round = {
    label,
    txDuration: seconds,
    rateControl: { type: 'fixed-rate', opts: { tps: rate } },
    workload: { module: './workload.cjs', arguments: { ...call, firstAccount, accounts: openedAccounts } },
  }
  const test = { name: label, workers: { number: workers }, rounds: [round] }
  // YAML, of which JSON is a part.
  writeFileSync(join(folder, 'rounds.yaml'), JSON.stringify({ test }))
  const program = join(caliperPackages.folder, 'node_modules/@hyperledger/caliper-cli/caliper.js')
  const log = join(folder, 'caliper.log')
  await runGroup(log, (seconds + patience) * 1000, [
    ...[program, 'launch', 'manager', '--caliper-workspace', folder, '--caliper-flow-only-test'],
    ...['--caliper-networkconfig', 'network.json', '--caliper-benchconfig', 'rounds.yaml'],
  ])
  return readResult(readFileSync(log, 'utf8'), label)
}

/** Runs a program of Node.js until it ends, or for so many milliseconds, and ends what it leaves behind: Caliper's workers stay. */
async function runGroup(logFile: string, most: number, args: readonly string[]): Promise<void> {
  const log = openSync(logFile, 'w')
  const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', log, log] })
  closeSync(log)
  const end = () => {
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      // All of them have ended.
    }
  }
  process.on('exit', end)
  const late = setTimeout(end, most)
  await once(child, 'exit')
  clearTimeout(late)
  process.off('exit', end)
  end()
}
