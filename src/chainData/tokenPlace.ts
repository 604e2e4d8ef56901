import { readFileSync } from 'node:fs'
import { createProblems, failed } from '../config/fault.ts'
import { checkToken, type TokenValues } from '../config/tokenOptions.ts'
import type { SlotChoice } from '../pkcs11/session.ts'
import type { KeyPlace } from '../pkcs11/tokenSigner.ts'

/** Where the options say that the key in a token is; `user` is what it is for. Throws if they do not say it. */
export function tokenPlaceOf(values: TokenValues, user: string): KeyPlace {
  const problems = createProblems()
  checkToken(values, user, problems)
  problems.throwAny()
  const file = values['pkcs11-config-file']
  const place = file === undefined ? placeInOptions(values) : placeInFile(file)
  return { ...place, pinFile: values['pkcs11-pin-file'], label: values['pkcs11-key-label']!, agrees: true }
}

function placeInOptions(values: TokenValues): Pick<KeyPlace, 'library' | 'slot'> {
  const [label, slot] = [values['pkcs11-token'], values['pkcs11-slot']]
  return {
    library: values['pkcs11-library']!,
    slot: label === undefined ? { kind: 'slot', slot: slot! } : { kind: 'label', label },
  }
}

/** The file of Besu's plugin, which is one of Java: what else it says is not needed. */
function placeInFile(path: string): Pick<KeyPlace, 'library' | 'slot'> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw failed(`${path}: the file of --pkcs11-config-file cannot be read`, error)
  }
  const found = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [, name, value] = /^\s*(library|slot|slotListIndex)\s*=\s*"?([^"#]*?)"?\s*(?:#.*)?$/.exec(line) ?? []
    if (name !== undefined && value !== undefined) found.set(name, value)
  }
  const fault = (reason: string) => failed(`${path}: ${reason}`)
  const library = found.get('library')
  if (!library)
    throw fault('there is no line with the library of the token, such as library = /usr/lib/softhsm/libsofthsm2.so')
  return { library, slot: slotIn(found, fault) }
}

function slotIn(found: ReadonlyMap<string, string>, fault: (reason: string) => Error): SlotChoice {
  const [slot, index] = [found.get('slot'), found.get('slotListIndex')]
  if ((slot === undefined) === (index === undefined))
    throw fault('one line has to name the slot of the token: slot = NUMBER or slotListIndex = NUMBER')
  const number = Number(slot ?? index)
  if (!/^(\d+|0x[0-9a-fA-F]+)$/.test(slot ?? index!) || !Number.isSafeInteger(number))
    throw fault(`'${slot ?? index}' is not the number of a slot`)
  return slot === undefined ? { kind: 'index', index: number } : { kind: 'slot', slot: number }
}
