import { type LogLevelName, logLevelNames } from '../../../system/logLevel.ts'
import type { Decoder } from '../../codecs/codec.ts'
import { listDecoder } from '../../codecs/list.ts'
import { success } from '../../codecs/success.ts'
import { text } from '../../codecs/text.ts'
import { invalidParams } from '../../protocol/fault.ts'
import { method, optionalParam, param } from '../../protocol/method.ts'

const level: Decoder<LogLevelName> = {
  schema: { type: 'string', enum: logLevelNames },
  decode(json) {
    const name = logLevelNames.find((known) => known === json)
    if (name === undefined) throw invalidParams()
    return name
  },
}

export const admin_changeLogLevel = method({
  name: 'admin_changeLogLevel',
  doc: 'Changes the log level of the whole node or, with a filter, of the named loggers. Returns `Success`.',
  needs: ['logging'],
  params: [param('level', level), optionalParam('filter', listDecoder(text))],
  result: success,
  example: ['INFO', ['rpc']],
  handler: ({ logging }, [name, filter]) => logging.setLevel(name, filter),
})
