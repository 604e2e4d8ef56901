import { resolve } from 'node:path'
import { createChainView } from '../chain/createChainView.ts'
import { formerBaseFee, formerSystemCalls } from '../chain/fault.ts'
import { hasFormerCalls } from '../chain/formerCalls.ts'
import { hasFormerBaseFee } from '../chain/genesis.ts'
import { hasCodeAtHead } from '../chain/hasCodeAtHead.ts'
import { readChainId, requireHead, requireHeaderRecord } from '../chain/records.ts'
import { readPast } from '../chain/takeOver/past.ts'
import { devChainOf } from '../chainData/devChain.ts'
import { loadNetwork, type Network } from '../chainData/network.ts'
import { clientVersion } from '../config/clientVersion.ts'
import type { Config } from '../config/options.ts'
import { isAuthorityEngine } from '../consensus/authorityEngine.ts'
import { nextMoment } from '../forks/bftTransitions.ts'
import { forkWarnings } from '../forks/forkWarnings.ts'
import { unclearRules } from '../forks/unclearRules.ts'
import { unknownKeys } from '../forks/unknownKeys.ts'
import { createLocalKey, type NodeKey } from '../keys/nodeIdentity.ts'
import { generatePrivateKey } from '../keys/nodeKey.ts'
import { genesisHashOf } from '../maintenance/genesisHash.ts'
import { lookUpHost } from '../node/lookUpHost.ts'
import { networkOptionsOf, resolveNames } from '../node/options/networkOptions.ts'
import { type Address, equalBytes, includesBytes } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import { type ExpectedPeriod, expectedPeriod } from '../reporting/expectedPeriod.ts'
import { askRunningNode } from './askRunningNode.ts'
import { checkDataPath, checkDisk, checkKey, findRunningNode } from './checkFiles.ts'
import { checkNodeClock, periodOf } from './checkNodeClock.ts'
import { answersOn, checkPeers } from './checkPeers.ts'
import { type Checked, fine, warning, wrong } from './finding.ts'
import { readStored } from './readStored.ts'

const minNode = 20

const listeners = [
  ['rpc-http-enabled', 'rpc-http-host', 'rpc-http-port'],
  ['rpc-ws-enabled', 'rpc-ws-host', 'rpc-ws-port'],
  ['graphql-http-enabled', 'graphql-http-host', 'graphql-http-port'],
  ['p2p-enabled', 'p2p-interface', 'p2p-port'],
  ['metrics-enabled', 'metrics-host', 'metrics-port'],
] as const

/** Looks at everything that operators get wrong, with the options of a node; changes nothing. */
export async function examine(config: Config): Promise<Checked[]> {
  const dataPath = resolve(config['data-path'])
  const found: Checked[] = [checkVersion()]
  let network: Network
  try {
    network = loadNetwork(config['genesis-file'], config['network-id'], devChainOf(config))
  } catch (error) {
    return [...found, wrong((error as Error).message, 'correct --genesis-file')]
  }
  found.push(...checkGenesis(network), ...checkDataPath(dataPath), await checkDisk(dataPath))
  const { checked, key } = await checkKey(config, dataPath)
  found.push(checked)
  const running = findRunningNode(dataPath)
  found.push(fine(running === undefined ? 'no node runs on this data path' : `a node runs on it, process ${running}`))
  found.push(...(await checkPorts(config, running !== undefined)))
  const sound = found.every(({ level }) => level !== 'error')
  const stored = sound
    ? await checkStored(dataPath, network, key, running !== undefined)
    : { found: [], validators: [], clock: undefined, expected: undefined }
  found.push(...stored.found)
  let clock: Checked | undefined
  if (config['p2p-enabled']) {
    const lookUp = config['Xdns-enabled'] ? lookUpHost : undefined
    try {
      const { staticNodes, bootnodes } = await resolveNames(networkOptionsOf(config, dataPath, network), lookUp)
      const nodes = [...staticNodes, ...bootnodes].filter(
        (node, i, all) => all.findIndex(({ id }) => equalBytes(id, node.id)) === i,
      )
      const others = key ? nodes.filter(({ id }) => !equalBytes(id, key.publicKey)) : nodes
      const checkedPeers = await checkPeers(others, {
        // Peers know the key of a node that runs as connected.
        key: key?.kind === 'local' && running === undefined ? key : createLocalKey(generatePrivateKey()),
        networkId: network.networkId,
        genesis: genesisHashOf(network),
        validators: stored.validators,
        address: key?.address,
        expected: stored.expected,
      })
      found.push(...checkedPeers.found)
      clock = checkedPeers.clock
    } catch (error) {
      found.push(wrong((error as Error).message, 'correct the static nodes file or --bootnodes'))
    }
  }
  const compared = clock ?? stored.clock
  return [...found, ...(compared ? [compared] : []), ...(running === undefined ? [] : await askRunningNode(config))]
}

function checkVersion(): Checked {
  const major = Number(process.versions.node.split('.')[0])
  const text = `${clientVersion()}, Node.js ${process.versions.node}`
  return major >= minNode ? fine(text) : wrong(text, `install Node.js ${minNode} or newer`)
}

function checkGenesis(network: Network): Checked[] {
  const unknown = unknownKeys(network.spec.genesis).map(({ key, meant }) =>
    warning(`genesis file: ${key} is unknown and has no effect`, meant ? `did you mean ${meant}?` : 'remove it'),
  )
  const unclear = network.isDev
    ? []
    : unclearRules(network.spec).map(({ text, advice }) => warning(`genesis file: ${text}`, advice))
  return [
    fine(`genesis block ${toHex(genesisHashOf(network))}, network id ${network.networkId}`),
    ...unknown,
    ...unclear,
  ]
}

async function checkPorts(config: Config, running: boolean): Promise<Checked[]> {
  const found: Checked[] = []
  for (const [enabled, host, port] of listeners) {
    const number = config[port]
    if (!config[enabled] || number === 0) continue
    const answers = await answersOn(config[host], number)
    if (answers === running) continue
    found.push(
      running
        ? warning(
            `the node does not answer on port ${number} (--${port})`,
            'it was started with other options, or still starts',
          )
        : wrong(`port ${number} (--${port}) is taken by another program`, 'stop that program, or choose another port'),
    )
  }
  return found.length > 0 ? found : [fine(running ? 'all ports answer' : 'all ports are free')]
}

interface Stored {
  readonly found: readonly Checked[]
  readonly validators: readonly Address[]
  /** This machine's clock beside the newest block that is stored, for where no peer can be asked. */
  readonly clock: Checked | undefined
  readonly expected: ExpectedPeriod | undefined
}

/** What the database says: the network, the clock, and who the validators are. */
async function checkStored(
  dataPath: string,
  network: Network,
  key: NodeKey | undefined,
  running: boolean,
): Promise<Stored> {
  const stored = await readStored<Stored>(dataPath, network, ({ reader, genesis, consensus, states }) => {
    if (!equalBytes(genesis.hash, genesisHashOf(network)))
      return {
        found: [
          hasFormerBaseFee(requireHeaderRecord(reader, genesis).header, network.spec)
            ? wrong('the genesis file does not say that the first block has no base fee', formerBaseFee)
            : wrong(
                `the database belongs to another network: its genesis block is ${toHex(genesis.hash)}`,
                'use the genesis file of that network, or another --data-path',
              ),
        ],
        validators: [],
        clock: undefined,
        expected: undefined,
      }
    const chainId = readChainId(reader)
    if (chainId !== undefined && chainId !== network.spec.chainId)
      return {
        found: [
          wrong(
            `the data path was made with chain id ${chainId}; the genesis file says ${network.spec.chainId}`,
            'correct the genesis file, or choose another --data-path',
          ),
        ],
        validators: [],
        clock: undefined,
        expected: undefined,
      }
    const head = requireHead(reader)
    const past = readPast(reader)
    const view = createChainView({ spec: network.spec, states, consensus }, reader, () => {})
    const validators = isAuthorityEngine(consensus) ? consensus.validatorsAfter(head, view) : []
    const times = { newest: Number(head.header.timestamp), now: Date.now() / 1000, period: periodOf(network.spec) }
    const now = BigInt(Math.floor(times.now))
    const forks = forkWarnings(network.spec, { head: head.header, now, hasCode: hasCodeAtHead(view) })
    const found = [
      fine(`head ${head.header.number} ${toHex(head.hash)}`),
      ...(past && past.first > 1 ? [fine(`blocks from ${past.first} on; of those below only headers are there`)] : []),
      ...(hasFormerCalls(view)
        ? [wrong('the genesis file does not fit the blocks of this chain', formerSystemCalls)]
        : []),
      ...forks.map(({ text, advice, isFatal }) => (isFatal ? wrong(text, advice) : warning(text, advice))),
    ]
    if (key && validators.length > 0) {
      const isValidator = includesBytes(validators, key.address)
      found.push(fine(`this node is ${isValidator ? 'one' : 'none'} of ${validators.length} validators`))
    }
    return {
      found,
      validators,
      clock: checkNodeClock(times, running && head.header.number > 0n),
      expected: expectedPeriod(network.spec, nextMoment(head.header)),
    }
  })
  return stored ?? { found: [], validators: [], clock: undefined, expected: undefined }
}
