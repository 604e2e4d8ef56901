import { createStepLines } from '../../execution/tracing/stepLines.ts'
import { equalBytes, type Hash32 } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Block } from '../../types/block.ts'
import { txHash } from '../../types/encodeTx.ts'
import { haltTexts } from '../calls/haltTexts.ts'
import { boolean } from '../codecs/boolean.ts'
import { hash } from '../codecs/bytes.ts'
import type { Decoder } from '../codecs/codec.ts'
import { decodeObject, optionalMember } from '../codecs/jsonObject.ts'
import type { TraceFile } from '../protocol/context.ts'
import { RpcError } from '../protocol/fault.ts'
import { replay, type TracingPorts } from './replay.ts'

/** What trace files are made of. */
interface FileOptions {
  /** Undefined: of every transaction. */
  readonly txHash: Hash32 | undefined
  readonly memory: boolean
}

export const defaultFileOptions: FileOptions = { txHash: undefined, memory: false }

export const fileOptions: Decoder<FileOptions> = {
  schema: {
    title: 'trace file options',
    type: 'object',
    properties: { txHash: hash.schema, disableMemory: boolean.schema },
  },
  decode(json) {
    const object = decodeObject(json)
    return {
      txHash: optionalMember(object, 'txHash', hash),
      memory: !(optionalMember(object, 'disableMemory', boolean) ?? true),
    }
  },
}

/** Lines are written when this many characters wait. */
const bufferLength = 1 << 20

function openLines(file: TraceFile) {
  let waiting = ''
  function flush(): void {
    if (waiting !== '') file.write(Buffer.from(waiting, 'latin1'))
    waiting = ''
  }
  return {
    add(line: string): void {
      waiting += line
      if (waiting.length >= bufferLength) flush()
    },
    close(): void {
      flush()
      file.close()
    },
  }
}

/** `0x` and the first eight digits. */
const short = (bytes: Uint8Array) => toHex(bytes).slice(0, 10)

/** Runs a block again and writes a file for each transaction that is wanted; gives their paths. */
export function blockToFiles(
  { chain, evms, traces }: TracingPorts,
  { block, hash: blockHash }: { readonly block: Block; readonly hash: Hash32 },
  { txHash: wanted, memory }: FileOptions,
): string[] {
  const opened: TraceFile[] = []
  try {
    const paths = replay(evms, chain, block, ({ tx, index }) => {
      const own = txHash(tx)
      if (wanted && !equalBytes(own, wanted)) return undefined
      const started = performance.now()
      const file = traces.create(`block_${short(blockHash)}-${index}-${short(own)}`)
      opened.push(file)
      const lines = openLines(file)
      return {
        tracer: createStepLines(lines.add, { memory, describe: (halt) => haltTexts[halt]! }),
        finish({ output, gasUsed, status }) {
          const time = Math.round((performance.now() - started) * 1e6)
          const shown = status === 1 ? toHex(output).slice(2) : ''
          lines.add(`{"output":"${shown}","gasUsed":"0x${gasUsed.toString(16)}","time":${time}}\n`)
          lines.close()
          opened.pop()
          return file.path
        },
      }
    })
    if (!paths) throw new RpcError({ code: 'BLOCK_NOT_FOUND' })
    return paths
  } finally {
    for (const file of opened) file.close()
  }
}
