import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { applyLoad, type LoadResult } from '../../../bench/qbft/load.ts'
import { advance, agree, eventually, heightOf, reach, sameBlocks } from '../../interop/rpcNode.ts'
import { childrenOf } from '../../support/childrenOf.ts'
import { whyNoTokens } from '../../support/softToken.ts'
import { watchBlocks } from '../floods/watchBlocks.ts'
import type { Suite, SuiteTerms } from '../suite.ts'
import { filesWithKey, isKeyInMemory, whyNoCores } from './leaks.ts'
import { signaturesPerSecond } from './speeds.ts'
import { type HeldValidator, type Holder, openTokenNetwork, type TokenNetwork } from './tokenNetwork.ts'

/** Seconds from block to block. */
const period = 0.25
/** Transactions a second. */
const rate = 40
const holders: readonly Holder[] = ['file', 'token', 'token', 'key server']
const full = { blocks: 1500, measured: 60, window: 15, away: 30_000, signatures: 2000 }
const fast: typeof full = { blocks: 120, measured: 8, window: 5, away: 8000, signatures: 200 }
/** Blocks within which one that is back has to propose. */
const returnBlocks = 60
/** Blocks that may be under way when a key goes. */
const underWay = 4

const rpcOf = (nodes: readonly HeldValidator[]) => nodes.map(({ process }) => process)

function load(nodes: readonly HeldValidator[], seconds: number): Promise<LoadResult> {
  const terms = { urls: nodes.map(({ url }) => url), gasPrice: 0n }
  return applyLoad(terms, 'transfers', rate, seconds, async (send) => {
    await send()
  })
}

interface Measured {
  readonly share: number
  readonly gap: number
  readonly load: LoadResult
}

/** Blocks per block that is due, and the time until a transaction is in one. */
async function measure({ nodes }: TokenNetwork, seconds: number): Promise<Measured> {
  await reach(rpcOf(nodes), 20)
  const watch = await watchBlocks(nodes[0]!.wsPort)
  try {
    const from = performance.now()
    const result = await load(nodes, seconds)
    const course = watch.since(from)
    return { share: (course.blocks * period) / course.seconds, gap: course.gap, load: result }
  } finally {
    watch.close()
  }
}

const minersOf = async ({ process }: HeldValidator, from: number, to: number): Promise<string[]> => {
  const numbers = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => `0x${(from + i).toString(16)}`)
  const blocks = await Promise.all(
    numbers.map((number) => process.call<{ miner: string }>('eth_getBlockByNumber', number, false)),
  )
  return blocks.map(({ miner }) => miner.toLowerCase())
}

/** Waits until a validator has proposed a block that is made from now on. */
async function proposes(witness: HeldValidator, { address, process }: HeldValidator): Promise<void> {
  const from = (await heightOf(witness.process)) + 1
  await eventually(`${process.name} proposes`, async () => {
    const head = await heightOf(witness.process)
    const miners = await minersOf(witness, from, head)
    if (!miners.includes(address) && miners.length > returnBlocks)
      throw new Error(`it proposed none of ${miners.length} blocks`)
    return miners.includes(address)
  })
}

/** The process of a node that calls its library. */
function libraryProcess(node: HeldValidator): number {
  const found = childrenOf(node.process.pid()!).find((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('tokenWorker'),
  )
  if (found === undefined) throw new Error(`${node.process.name} has no process with a library`)
  return found
}

interface Trouble {
  readonly name: string
  run(): Promise<void>
}

/** What operators, and machines, do to keys. Each ends when the validator proposes again. */
function troublesOf({ nodes }: TokenNetwork, away: number, { checks }: SuiteTerms): readonly Trouble[] {
  const [witness, first, second, served] = nodes as [HeldValidator, HeldValidator, HeldValidator, HeldValidator]
  const server = served.server!
  return [
    {
      name: 'a node with a token is started again',
      async run() {
        await first.process.stop()
        first.process.start()
        await proposes(witness, first)
      },
    },
    {
      name: 'a node with a token is killed',
      async run() {
        await second.process.kill()
        second.process.start()
        await proposes(witness, second)
      },
    },
    {
      name: 'a library crashes',
      async run() {
        process.kill(libraryProcess(first), 'SIGSEGV')
        await proposes(witness, first)
      },
    },
    {
      name: 'the key server is killed, and the node behind it',
      async run() {
        await server.kill()
        await served.process.kill()
        await advance([witness.process], 4)
        server.start()
        served.process.start()
        await proposes(witness, served)
      },
    },
    {
      name: `a token is away for ${away / 1000} s`,
      async run() {
        const { folder } = first.tokens!
        const from = await heightOf(witness.process)
        renameSync(folder, `${folder}-away`)
        await delay(away)
        const to = await heightOf(witness.process)
        const miners = await minersOf(witness, from + underWay + 1, to)
        checks.equal('blocks go on without the token', miners.length > 4, true)
        checks.equal('none of them is of its validator', miners.includes(first.address), false)
        await reach([first.process], to)
        renameSync(`${folder}-away`, folder)
        await proposes(witness, first)
        checks.note(`${to - from} blocks in ${away / 1000} s without the token`)
      },
    },
  ]
}

/** What logs must and must not say. */
function checkLogs({ nodes }: TokenNetwork, { checks }: SuiteTerms): void {
  const text = (file: string) => readFileSync(file, 'utf8')
  const first = text(nodes[1]!.logFile)
  checks.equal('the node says that its token is away', first.includes('nothing is signed while the token'), true)
  checks.equal('and that it is back', first.includes('the token with the key answers again'), true)
  const all = nodes.flatMap(({ logFile, server }) => [text(logFile), ...(server ? [text(server.logFile)] : [])])
  for (const sign of ['another process', 'refuses to sign', 'refused:'])
    checks.equal(`no log says "${sign}"`, all.filter((log) => log.includes(sign)).length, 0)
}

/** Keys that were put into tokens must be nowhere in the nodes; that of a file is found, so that the search is known to find. */
async function checkLeaks({ nodes }: TokenNetwork, { checks, folder }: SuiteTerms): Promise<void> {
  for (const { dataPath, privateKey, holder, process } of nodes)
    checks.equal(
      `files of the data path of ${process.name} with the key`,
      filesWithKey(dataPath, privateKey),
      holder === 'file' ? ['key'] : [],
    )
  const reason = whyNoCores()
  if (reason) return checks.note(`core dumps were not searched: ${reason}`)
  for (const { process, privateKey, holder } of nodes)
    checks.equal(
      `the key is in a core dump of ${process.name}`,
      await isKeyInMemory(process.pid()!, privateKey, folder),
      holder === 'file',
    )
  const { server, privateKey } = nodes[3]!
  checks.equal(
    'the key is in a core dump of the key server',
    await isKeyInMemory(server!.pid()!, privateKey, folder),
    false,
  )
  const inLibrary = await isKeyInMemory(libraryProcess(nodes[1]!), nodes[1]!.privateKey, folder)
  checks.note(
    `the process that calls SoftHSM, a token in software, ${inLibrary ? 'has' : 'does not have'} the key in its memory`,
  )
}

async function endure(network: TokenNetwork, terms: SuiteTerms): Promise<void> {
  const { checks } = terms
  const { blocks, window, away } = terms.fast ? fast : full
  const [witness] = network.nodes as [HeldValidator]
  const loads: LoadResult[] = []
  const during = async (work: () => Promise<unknown>) => {
    let isOver = false
    const done = work().finally(() => (isOver = true))
    do loads.push(await load([witness], window))
    while (!isOver)
    await done
  }
  for (const { name, run } of troublesOf(network, away, terms)) await checks.step(name, () => during(run))
  await during(() => reach([witness.process], blocks))
  const total = (of: (load: LoadResult) => number) => loads.reduce((sum, one) => sum + of(one), 0)
  checks.equal(
    'all that was accepted is mined',
    total(({ mined }) => mined),
    total(({ accepted }) => accepted),
  )
  checks.note(`${total(({ accepted }) => accepted)} transactions in ${loads.length} loads`)
  const head = await heightOf(witness.process)
  await reach(rpcOf(network.nodes), head)
  await sameBlocks(checks, rpcOf(network.nodes), 1, head)
  await agree(checks, rpcOf(network.nodes), 'eth_getBlockByNumber', `0x${head.toString(16)}`, false)
  const miners = await minersOf(witness, 1, head)
  for (const { address, process } of network.nodes)
    checks.note(`${process.name}: ${miners.filter((miner) => miner === address).length} of ${head} blocks`)
}

async function withNetwork(
  name: string,
  kinds: readonly Holder[],
  { folder }: SuiteTerms,
  work: (network: TokenNetwork) => Promise<void>,
): Promise<void> {
  const network = await openTokenNetwork(join(folder, name), period, kinds)
  try {
    network.start()
    await work(network)
  } finally {
    await network.close()
  }
}

const percent = (share: number) => `${Math.round(100 * share)} %`
const row = (name: string, { share, gap, load: { p50, p99 } }: Measured) =>
  `| ${name} | ${percent(share)} | ${gap.toFixed(2)} s | ${Math.round(p50)} ms | ${Math.round(p99)} ms |`

export const tokensSuite: Suite = {
  name: 'tokens',
  doc: 'Four validators, two with keys in tokens of SoftHSM and one behind a key server with a token, under load: restarts, a token that is away, core dumps.',
  onlyByName: true,
  whyNot: () => whyNoTokens ?? (process.platform === 'linux' ? undefined : 'processes are looked for in /proc'),
  async run(terms) {
    const { checks } = terms
    const { measured, signatures } = terms.fast ? fast : full
    const rows: string[] = []
    await withNetwork('files', ['file', 'file', 'file', 'file'], terms, async (network) => {
      rows.push(row('four in files', await measure(network, measured)))
    })
    await withNetwork('tokens', holders, terms, async (network) => {
      rows.push(row('one in a file, two in tokens, one behind a server', await measure(network, measured)))
      await endure(network, terms)
      checkLogs(network, terms)
      await checkLeaks(network, terms)
      const [, inToken, , served] = network.nodes
      const url = new URL(`http://127.0.0.1:${served!.server!.port}`)
      const speeds = await signaturesPerSecond(inToken!, url, signatures)
      for (const [holder, speed] of Object.entries(speeds)) checks.note(`${holder}: ${speed} signatures a second`)
    })
    checks.note(`| keys, a block every ${1000 * period} ms | blocks | longest gap | median | p99 |`)
    checks.note(`|${'---|'.repeat(5)}`)
    for (const one of rows) checks.note(one)
  },
}
