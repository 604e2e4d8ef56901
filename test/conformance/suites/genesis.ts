import { expectBytes } from '../../../src/evmtool/expect.ts'
import { toBytes } from '../../../src/evmtool/json.ts'
import { genesisState, stateRoot } from '../../../src/evmtool/memoryState.ts'
import { createChainSpec } from '../../../src/forks/chainSpec.ts'
import { toGenesisFile } from '../../../src/forks/genesisFile.ts'
import { genesisHeader } from '../../../src/forks/genesisHeader.ts'
import { headerHash } from '../../../src/types/header.ts'
import type { Suite } from '../suite.ts'

interface GenesisCase {
  readonly name: string
  readonly file: string
  readonly hash: string
  readonly stateRoot: string
}

const folder = 'consensus/genesis'

function check(json: unknown, want: GenesisCase): void {
  const spec = createChainSpec(toGenesisFile(json))
  const root = stateRoot(genesisState(spec.genesis.alloc))
  expectBytes('state root', root, toBytes(want.stateRoot))
  expectBytes('block hash', headerHash(genesisHeader(spec, root)), toBytes(want.hash))
}

export const genesis: Suite = {
  name: 'genesis',
  doc: "Genesis files of Besu and geth: the first block's hash and state root.",
  *cases(data) {
    const list = data.json(`${folder}/hashes.json`) as readonly GenesisCase[]
    for (const item of data.share(list))
      yield { name: item.name, run: () => check(data.json(`${folder}/${item.file}`), item) }
  },
}
