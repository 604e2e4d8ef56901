import { stringify } from 'smol-toml'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ibft2Codec } from '../../src/consensus/ibft2/ibft2Codec.ts'
import { qbftCodec } from '../../src/consensus/qbft/qbftCodec.ts'
import { runNode } from '../../src/node/runNode.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { systemClock } from '../../src/system/clock.ts'
import { authorities, bftGenesis, cliqueGenesis } from '../support/authorityChain.ts'
import { type BesuSetup, besuSetups, enode } from '../support/besuSetups.ts'
import { createCliHarness } from '../support/cliHarness.ts'
import { createSilentLogs } from '../support/silentLogs.ts'

let cli: ReturnType<typeof createCliHarness>
beforeEach(() => {
  cli = createCliHarness()
})
afterEach(() => cli.remove())

const validators = authorities(4)
const config = { chainId: 1337 }
const genesisFiles = {
  qbft: bftGenesis(qbftCodec, validators, { ...config, qbft: { blockperiodseconds: 5, epochlength: 30000 } }),
  ibft2: bftGenesis(ibft2Codec, validators, { ...config, ibft2: { blockperiodseconds: 5, epochlength: 30000 } }),
  clique: cliqueGenesis(validators, { blockperiodseconds: 5, epochlength: 30000 }, config),
}

/** Writes the files that a set-up names, and returns its command line. */
function prepare({ genesis, flags = {}, toml }: BesuSetup): string[] {
  if (genesis) cli.write('genesis.json', JSON.stringify(genesisFiles[genesis]))
  cli.write('keys/key', toHex(validators[0]!.key))
  cli.write('static-nodes.json', JSON.stringify([enode('127.0.0.1', 30303)]))
  cli.write('permissions_config.toml', `nodes-allowlist=["${enode('127.0.0.1', 30303)}"]\n`)
  cli.write('tm.pub', Buffer.alloc(32, 7).toString('base64'))
  cli.write('auth.toml', '[Users.user]\npassword = "$2a$10$l3GA7K8g6rJ/Yv.YFSygCuI9byngpEzxgWS9qEg5emYDZomQW7fGC"\n')
  if (toml) cli.write('config.toml', stringify(toml).replaceAll('{dir}', cli.dir))
  const options = Object.entries(flags).map(([name, value]) => (value === true ? `--${name}` : `--${name}=${value}`))
  return toml ? ['--config-file={dir}/config.toml', ...options] : options
}

/** Other programs of this machine may have the ports of a set-up. */
const anyPort = {
  'rpc-http-port': 0,
  'rpc-ws-port': 0,
  'graphql-http-port': 0,
  'metrics-port': 0,
  'p2p-port': 0,
} as const

test('there are set-ups of every kind', () => {
  expect(besuSetups.length).toBeGreaterThanOrEqual(20)
  expect(new Set(besuSetups.map(({ name }) => name)).size).toBe(besuSetups.length)
})

describe('is accepted unchanged', () => {
  test.each(besuSetups)('$name', async (setup) => {
    const { code, stderr, started } = await cli.run(prepare(setup), { env: { ...setup.env } })
    expect([code, stderr]).toEqual([0, ''])
    expect(started).toMatchObject({ 'data-path': `${cli.dir}/data` })
  })
})

describe('starts', () => {
  test.each(besuSetups.filter(({ starts }) => starts))('$name', async (setup) => {
    const { started } = await cli.run(prepare(setup), { env: { ...setup.env } })
    const node = await runNode({ ...started!, ...anyPort }, createSilentLogs(), systemClock)
    try {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
      const answer = await fetch(`http://127.0.0.1:${node.places.get('jsonrpc')!.port}`, { method: 'POST', body })
      expect(await answer.json()).toMatchObject({ result: setup.genesis ? '0x539' : expect.stringMatching(/^0x/) })
    } finally {
      await node.stop()
    }
  })
})
