import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { devAccounts } from '../../src/forks/devGenesis.ts'
import { type DevNode, startDevNode } from '../rpc/devNode.ts'

const genesis = {
  config: { chainId: 1337, londonBlock: 0, terminalTotalDifficulty: 0, shanghaiTime: 0, cancunTime: 0, pragueTime: 0 },
  gasLimit: '0x1fffffffffffff',
  difficulty: '0x0',
  alloc: Object.fromEntries(devAccounts.map(({ address, balance }) => [address, { balance }])),
}

/** A node of a network since Prague. Nobody makes blocks there: what it takes waits in its pool. */
export async function startPragueNode(): Promise<DevNode> {
  const folder = mkdtempSync(join(tmpdir(), 'quoin-prague-'))
  const file = join(folder, 'genesis.json')
  writeFileSync(file, JSON.stringify(genesis))
  try {
    return await startDevNode({ 'genesis-file': file, 'rpc-http-enabled': 'true', 'rpc-ws-enabled': 'true' })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
