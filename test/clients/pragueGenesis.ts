import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { qbftCodec } from '../../src/consensus/qbft/qbftCodec.ts'
import { devAccounts } from '../../src/forks/devGenesis.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { authorities, bftGenesis } from '../support/authorityChain.ts'
import { type DevNode, startDevNode } from '../support/devNode.ts'

const validators = authorities(1)
/** Blocks since Prague ask these contracts for requests to validators of a beacon chain: here they have none. */
const requestContracts = ['00000961ef480eb55e80d19ad83579a64c007002', '0000bbddc7ce488642fb579f8b00f3a590007251']

const genesis = bftGenesis(
  qbftCodec,
  validators,
  {
    chainId: 1337,
    londonBlock: 0,
    shanghaiTime: 0,
    cancunTime: 0,
    pragueTime: 0,
    quoin: { systemCalls: true },
    qbft: { blockPeriodSeconds: 1, requestTimeoutSeconds: 4 },
  },
  Object.fromEntries([
    ...devAccounts.map(({ address, balance }) => [address, { balance }]),
    ...requestContracts.map((address) => [address, { balance: '0x0', code: '0x00' }]),
  ]),
)

/** A QBFT network since Prague, whose only validator is the node. */
export async function startPragueNode(): Promise<DevNode> {
  const folder = mkdtempSync(join(tmpdir(), 'quoin-prague-'))
  const file = join(folder, 'genesis.json')
  const key = join(folder, 'key')
  writeFileSync(file, JSON.stringify(genesis))
  writeFileSync(key, toHex(validators[0]!.key))
  try {
    return await startDevNode({
      'genesis-file': file,
      'node-private-key-file': key,
      'p2p-enabled': 'false',
      'rpc-http-enabled': 'true',
      'rpc-ws-enabled': 'true',
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
