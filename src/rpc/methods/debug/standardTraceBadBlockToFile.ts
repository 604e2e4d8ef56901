import { hash } from '../../codecs/bytes.ts'
import { listEncoder } from '../../codecs/list.ts'
import { text } from '../../codecs/text.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'
import { blockToFiles, defaultFileOptions, fileOptions } from '../../tracing/blockToFiles.ts'

export const debug_standardTraceBadBlockToFile = method({
  name: 'debug_standardTraceBadBlockToFile',
  doc: 'Writes the traces of the transactions of a bad block to files in the data directory. Returns their paths.',
  needs: ['badBlocks', 'chain', 'evms', 'traces'],
  params: [param('hash', hash), param('options', fileOptions, { value: defaultFileOptions })],
  result: listEncoder(text),
  errors: [[-32000, 'Bad block not found.']],
  example: [`0x${'ab'.repeat(32)}`],
  handler(ports, [wanted, options]) {
    const bad = ports.badBlocks.find(wanted)
    if (!bad) throw new RpcError({ code: 'BLOCK_NOT_FOUND' })
    return blockToFiles(ports, bad, options)
  },
})
