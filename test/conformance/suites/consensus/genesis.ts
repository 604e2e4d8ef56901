import { createConsensus } from '../../../../src/consensus/createConsensus.ts'
import { expectBytes } from '../../../../src/evmtool/expect.ts'
import { toBytes } from '../../../../src/evmtool/json.ts'
import { createChainSpec } from '../../../../src/forks/chainSpec.ts'
import { toGenesisFile } from '../../../../src/forks/genesisFile.ts'
import { genesisHeader } from '../../../../src/forks/genesisHeader.ts'
import type { Data } from '../../data.ts'
import type { Case } from '../../suite.ts'

interface GenesisFileCase {
  readonly name: string
  readonly file: string
  readonly hash: string
  readonly stateRoot: string
}

interface GenesisJson {
  readonly config?: Readonly<Record<string, unknown>>
}

const folder = 'consensus/genesis'
const engines = ['clique', 'ibft2', 'qbft']

/** The engine's hash of block 0; state roots are the business of the suite `genesis`. */
export function genesisCases(data: Data): Case[] {
  return (data.json(`${folder}/hashes.json`) as readonly GenesisFileCase[]).flatMap((test) => {
    const json = data.json(`${folder}/${test.file}`) as GenesisJson
    if (!engines.some((engine) => json.config && engine in json.config)) return []
    return {
      name: `genesis ${test.name}`,
      run() {
        const spec = createChainSpec(toGenesisFile(json))
        const header = genesisHeader(spec, toBytes(test.stateRoot) as Parameters<typeof genesisHeader>[1])
        expectBytes('block hash', createConsensus(spec).hash(header), toBytes(test.hash))
      },
    }
  })
}
