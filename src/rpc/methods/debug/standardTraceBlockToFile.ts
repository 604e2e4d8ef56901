import { hash } from '../../codecs/bytes.ts'
import { listEncoder } from '../../codecs/list.ts'
import { text } from '../../codecs/text.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'
import { blockToFiles, defaultFileOptions, fileOptions } from '../../tracing/blockToFiles.ts'

export const debug_standardTraceBlockToFile = method({
  name: 'debug_standardTraceBlockToFile',
  doc: 'Writes the traces of the transactions of a block, or of one of them, to files in the data directory. Returns their paths.',
  needs: ['chain', 'evms', 'traces'],
  params: [param('hash', hash), param('options', fileOptions, { value: defaultFileOptions })],
  result: listEncoder(text),
  errors: [[-32000, 'Block not found.']],
  example: [`0x${'ab'.repeat(32)}`, { disableMemory: false }],
  handler(ports, [wanted, options]) {
    const hashed = ports.chain.blockBy(wanted)
    if (!hashed) throw new RpcError({ code: 'BLOCK_NOT_FOUND' })
    return hashed.header.number === 0n ? [] : blockToFiles(ports, hashed, options)
  },
})
