import { readFileSync } from 'node:fs'
import { failed } from '../../config/fault.ts'
import { option, unset } from '../../config/option.ts'
import { oneOf, path } from '../../config/values.ts'
import { bftGenesisExtraData } from '../../consensus/bft/extraData.ts'
import { ExtraDataError } from '../../consensus/fault.ts'
import type { Address } from '../../primitives/bytes.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import { RlpError } from '../../primitives/rlp.ts'
import { writeFileAtomically } from '../../system/writeFileAtomically.ts'
import { command, commandGroup } from '../command.ts'
import { type ExtraDataType, extraDataCodecs, extraDataTypes } from '../extraDataTypes.ts'
import type { Io } from '../io.ts'
import { readAddress, refuseDuplicates } from '../validatorAddresses.ts'

function rlpOptions(from: string, to: string) {
  return {
    from: option(path('FILE'), unset('standard input'), 'command', from),
    to: option(path('FILE'), unset('standard output'), 'command', to),
    type: option(oneOf(extraDataTypes, 'exact case'), 'IBFT_EXTRA_DATA', 'command', 'Layout of the extra data.'),
  }
}

const encode = command(
  'encode',
  'Encode a JSON array of validator addresses as the extra data of a genesis block.',
  rlpOptions('File with the JSON array.', 'File for the hexadecimal text.'),
  async ({ from, to, type }, { io }) => {
    const validators = parseAddresses(await readInput(from, io, 'JSON'))
    refuseDuplicates(validators)
    writeOutput(toHex(bftGenesisExtraData(extraDataCodecs[type], validators)), to, io)
    return 0
  },
)

const decode = command(
  'decode',
  'Decode the validators in the extra data of a block to a JSON array of addresses.',
  rlpOptions('File with the hexadecimal text.', 'File for the JSON array.'),
  async ({ from, to, type }, { io }) => {
    const input = await readInput(from, io, 'RLP')
    writeOutput(JSON.stringify(parseExtraData(input, type).map(toHex)), to, io)
    return 0
  },
)

/** `rlp encode` and `rlp decode`. */
export const rlp = commandGroup('rlp', 'Encode and decode the extra data of IBFT 2.0 and QBFT blocks.', [
  encode,
  decode,
])

async function readInput(from: string | undefined, io: Io, form: 'JSON' | 'RLP'): Promise<string> {
  const text = (from === undefined ? await io.stdin() : readInputFile(from, form)).replace(/\s+/g, '')
  if (text === '') throw failed(`An error occurred while trying to read the ${form} data.`)
  return text
}

function readInputFile(file: string, form: 'JSON' | 'RLP'): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw failed(`Unable to read ${form} file. ${(error as Error).message}`, error)
  }
}

function writeOutput(text: string, to: string | undefined, io: Io): void {
  try {
    if (to === undefined) io.stdout(text + '\n')
    else writeFileAtomically(to, text)
  } catch (error) {
    throw failed(`An error occurred while trying to write the RLP string. ${(error as Error).message}`, error)
  }
}

function parseAddresses(text: string): Address[] {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw failed(`Unable to load the JSON data. Please check JSON input format. ${(error as Error).message}`, error)
  }
  if (!Array.isArray(json) || !json.every((item) => typeof item === 'string' || typeof item === 'number'))
    throw failed(
      'Unable to map the JSON data with selected type. Please check JSON input format. ' +
        'An array of address strings is expected.',
    )
  return json.map((item) => readAddress(String(item)))
}

function parseExtraData(text: string, type: ExtraDataType): readonly Address[] {
  try {
    return extraDataCodecs[type].decode(fromHex(text)).validators
  } catch (error) {
    const known = error instanceof RlpError || error instanceof ExtraDataError || error instanceof RangeError
    if (!known) throw error
    throw failed(`The input is not ${type} in hexadecimal: ${error.message}`, error)
  }
}
