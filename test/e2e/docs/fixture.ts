import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { devAccounts } from '../../../src/forks/devGenesis.ts'
import type { Session } from './session.ts'

/** Puts the genesis file of a network of one validator into a folder, and its key into the data path. */
export async function writeNetwork(folder: string, session: Session): Promise<void> {
  const alloc = Object.fromEntries(devAccounts.map(({ address }) => [address, { balance: '0xffffffffffff' }]))
  const qbft = { epochlength: 30000, blockperiodseconds: 1, requesttimeoutseconds: 2 }
  const config = {
    genesis: {
      config: { chainId: 1337, berlinBlock: 0, qbft },
      gasLimit: '0x1fffffffffffff',
      difficulty: '0x1',
      alloc,
    },
    blockchain: { nodes: { generate: true, count: 1 } },
  }
  const [file, made] = [join(folder, 'network.json'), join(folder, 'made')]
  writeFileSync(file, JSON.stringify(config))
  const { code, stderr } = await session.run(
    `quoin operator generate-blockchain-config --config-file="${file}" --to="${made}"`,
  )
  if (code !== 0) throw new Error(stderr)
  const [keys] = readdirSync(join(made, 'keys'))
  mkdirSync(join(folder, 'data'), { recursive: true, mode: 0o700 })
  cpSync(join(made, 'genesis.json'), join(folder, 'genesis.json'))
  cpSync(join(made, 'keys', keys!, 'key.priv'), join(folder, 'data/key'))
  rmSync(file)
  rmSync(made, { recursive: true })
}
