import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeCliqueGenesis } from './cliqueGenesis.ts'
import { outputOf } from './command.ts'
import type { Interop } from './interop.ts'
import { createNodeProcess, type NodeProcess } from './nodeProcess.ts'
import { quoinProgram } from './quoinProcess.ts'
import { advance, eventually, heightOf, reach, sameBlocks, transfer } from './rpcNode.ts'
import { createSeat, type Seat } from './seat.ts'
import { stopAll } from './stopAll.ts'

const gasPrice = 10_000_000_000n
/** Another one than the chain id, as many networks of geth have. */
const networkId = '4711'
/** Blocks between two events. */
const stretch = 8

/** A geth as people run it: a data folder with keys, a configuration file and a genesis file beside it. */
interface GethHome {
  readonly node: NodeProcess
  readonly seat: Seat
  readonly data: string
  readonly password: string
}

function createGethHome(seat: Seat, peersDir: string, genesisFile: string, peers: readonly string[], account?: Seat) {
  const command = join(peersDir, 'geth/geth')
  const data = join(seat.folder, 'data')
  const password = join(seat.folder, 'password')
  const configFile = join(seat.folder, 'config.toml')
  function finish(...args: readonly string[]): void {
    const { status, stderr, error } = spawnSync(command, [`--datadir=${data}`, ...args], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`geth does not get ready: ${error?.message ?? stderr.slice(-500)}`)
  }
  mkdirSync(join(data, 'geth'), { recursive: true })
  writeFileSync(join(data, 'geth/nodekey'), seat.key)
  writeFileSync(password, 'a password\n')
  const listen = `ListenAddr = "127.0.0.1:${seat.p2pPort}"\nNoDiscovery = true`
  const nodes = `StaticNodes = ${JSON.stringify(peers)}`
  writeFileSync(
    configFile,
    `[Eth]\nNetworkId = ${networkId}\n\n[Node]\nDataDir = "${data}"\n\n[Node.P2P]\n${listen}\n${nodes}\n`,
  )
  copyFileSync(genesisFile, join(seat.folder, 'genesis.json'))
  finish('init', genesisFile)
  if (account) finish('--lightkdf', 'account', 'import', `--password=${password}`, join(account.folder, 'key'))
  const signing = account && [
    ...['--mine', `--miner.etherbase=${account.address}`, `--unlock=${account.address}`],
    ...[`--password=${password}`, '--allow-insecure-unlock'],
  ]
  const node = createNodeProcess({
    name: seat.name,
    httpPort: seat.httpPort,
    logFile: join(seat.folder, 'geth.log'),
    command,
    args: [
      ...[`--config=${configFile}`, '--syncmode=full', '--nat=extip:127.0.0.1', `--authrpc.port=${seat.httpPort + 1}`],
      ...['--http', `--http.port=${seat.httpPort}`, '--http.api=admin,clique,eth,net,txpool,web3'],
      ...(signing ?? []),
    ],
  })
  return { node, seat, data, password } satisfies GethHome
}

/** Copies a node while its geth runs; returns the node that the printed command line starts. */
async function migrateNode({ seat, data }: GethHome, ...more: readonly string[]): Promise<NodeProcess> {
  const folder = join(dirname(seat.folder), `${seat.name}-quoin`)
  const options = [
    ...[`--data-path=${folder}`, '--discovery-enabled=false'],
    ...['--p2p-interface=127.0.0.1', `--p2p-port=${seat.p2pPort}`],
    ...['--rpc-http-enabled', `--rpc-http-port=${seat.httpPort}`, '--rpc-http-api=ADMIN,CLIQUE,ETH,NET,WEB3'],
  ]
  const migrate = ['migrate', `--from-geth=${data}`, ...more]
  const output = await outputOf(process.execPath, [quoinProgram, ...options, ...migrate])
  for (const part of [/executing every block led to its state root/, /^static nodes \(/m, /^genesis file: copied/m])
    if (!part.test(output)) throw new Error(`there is no ${part} in: ${output}`)
  const args = /^ {2}quoin (.*)$/m.exec(output)?.[1]?.split(' ')
  if (!args?.includes(`--network-id=${networkId}`)) throw new Error(`there is no command line in: ${output}`)
  return createNodeProcess({
    name: `${seat.name} (Quoin)`,
    httpPort: seat.httpPort,
    logFile: `${folder}.log`,
    command: process.execPath,
    args: [quoinProgram, ...args],
  })
}

/** A signer and a node that follows move from geth to Quoin while the network goes on. */
export const migrationGeth: Interop = {
  name: 'migration-geth',
  doc: 'a signer and a follower of a Clique network of geth move to Quoin with `quoin migrate --from-geth`.',
  needs: ['geth'],
  async run({ checks, folder, peersDir, basePort }) {
    const seats = ['geth-0', 'geth-1', 'geth-2', 'geth-follower'].map((name, i) =>
      createSeat(folder, name, basePort, i),
    )
    // geth signs with an account, whose key is another than that of the node.
    const accounts = seats.slice(0, 3).map(({ name }) => createSeat(folder, `${name}-account`, basePort, 0))
    const signers = accounts.map(({ address }) => address)
    const genesisFile = writeCliqueGenesis(join(folder, 'clique.json'), signers, 'geth')
    const homes = seats.map((seat, i) => {
      const peers = seats.filter((other) => other !== seat).map(({ enode }) => enode)
      return createGethHome(seat, peersDir, genesisFile, peers, accounts[i])
    })
    const nodes: NodeProcess[] = homes.map(({ node }) => node)
    await stopAll(nodes, async () => {
      for (const node of nodes) node.start()
      await checks.step('three signers make blocks', () => reach(nodes, stretch))
      await transfer(checks, nodes[1]!, nodes, { nonce: 0n, gasPrice })

      async function move(i: number, ...more: readonly string[]): Promise<boolean> {
        const home = homes[i]!
        const quoin = await checks.step(`${home.seat.name} is copied while it runs`, () => migrateNode(home, ...more))
        if (!quoin) return false
        await home.node.stop()
        nodes[i] = quoin
        quoin.start()
        await checks.step(`${quoin.name} follows`, () =>
          eventually('it answers', () => quoin.call('eth_blockNumber')).then(() => advance(nodes, stretch)),
        )
        return true
      }

      if (!(await move(3)) || !(await move(0, `--password-file=${homes[0]!.password}`))) return
      checks.equal(
        'who runs',
        (await Promise.all(nodes.map((node) => node.call<string>('web3_clientVersion')))).map(
          (version) => version.split('/')[0],
        ),
        ['quoin', 'Geth', 'Geth', 'quoin'],
      )
      await checks.step('the signer that has moved signs', () =>
        eventually('it does', async () => {
          await advance(nodes, stretch)
          return (await lastSigners(nodes[1]!)).includes(signers[0]!)
        }),
      )
      await transfer(checks, nodes[0]!, nodes, { nonce: 1n, gasPrice })
      await sameBlocks(checks, nodes, 0, Math.min(...(await Promise.all(nodes.map(heightOf)))))
    })
  },
}

/** The signers of the last blocks, as geth recovers them. */
async function lastSigners(node: NodeProcess): Promise<string[]> {
  const head = await heightOf(node)
  const numbers = Array.from({ length: stretch }, (_, i) => `0x${(head - i).toString(16)}`)
  return Promise.all(numbers.map((number) => node.call<string>('clique_getSigner', number)))
}
