import { bftGenesisExtraData } from '../../src/consensus/bft/extraData.ts'
import { qbftCodec } from '../../src/consensus/qbft/qbftCodec.ts'
import { type Address, concatBytes } from '../../src/primitives/bytes.ts'
import { fromHex, hexToAddress, toHex } from '../../src/primitives/hex.ts'
import { bigIntToFixed } from '../../src/primitives/u256.ts'

/** Contracts that nodes ask, each with a part that anybody can replace by other code: the first 32 bytes are its address. */
export const deciding = {
  accounts: hexToAddress(`0x${'00'.repeat(18)}8881`),
  nodes: hexToAddress(`0x${'00'.repeat(18)}8882`),
  validators: hexToAddress(`0x${'00'.repeat(18)}8883`),
} as const

export type Deciding = keyof typeof deciding

const byte = (n: number) => n.toString(16).padStart(2, '0')
const bytesOf = (...parts: readonly string[]) => fromHex(parts.join('').replaceAll(' ', ''))

/** Takes 32 bytes as the address of the code that decides from then on. */
const replacing = (rest: readonly string[]) => {
  const body = rest.join('').replaceAll(' ', '')
  const start = '3660201461'
  const at = start.length / 2 + 2 + 1 + body.length / 2
  return bytesOf(start, '00', byte(at), '57', body, '5b 6000 35 6000 55 00')
}

/** Runs the code that decides, with the same question. */
const asking = '36 6000 6000 37 6000 6000 36 6000 6000 54 5a f4 3d 6000 6000 3e'
const answeringOne = '6001 6000 52 6020 6000 f3'

/** Where a jump to a label lands depends on what is before it: labels are written as `@name` and `:name`. */
function labelled(before: number, text: string): string {
  const places = new Map<string, number>()
  let at = before
  for (const part of text.split(' '))
    if (part.startsWith(':')) places.set(part.slice(1), at++)
    else at += part.startsWith('@') ? 3 : part.length / 2
  return text
    .split(' ')
    .map((part) => {
      if (part.startsWith(':')) return '5b'
      return part.startsWith('@') ? `6100${byte(places.get(part.slice(1))!)}` : part
    })
    .join('')
}

/** Bytes of `replacing` before what it is given. */
const head = 8

/** Allows what the administrator sends, whatever the code says of others. */
const accountsCode = (admin: Address) =>
  replacing([
    labelled(
      head,
      `6004 35 73${toHex(admin).slice(2)} 14 @one 57 ${asking} @done 57 3d 6000 fd :done 3d 6000 f3 :one ${answeringOne}`,
    ),
  ])

/** What is clearly refused is allowed: that nodes part then is what a network asks for. */
const nodesCode = () =>
  replacing([
    labelled(
      head,
      `${asking} @done 57 3d 6000 fd :done 3d 6020 14 6000 51 15 16 @one 57 3d 6000 f3 :one ${answeringOne}`,
    ),
  ])

/** Names the same validators whatever the code does, with the gas that it leaves: a network whose contract names none stands still. */
const validatorsCode = (validators: readonly Address[]) =>
  replacing([
    '6000 6000 6000 6000 6000 54 5a fa 50 6020 6000 52 60',
    byte(validators.length),
    '6020 52',
    ...validators.map((address, i) => `73${toHex(address).slice(2)}60${byte(0x40 + 0x20 * i)}52`),
    `60${byte(0x40 + 0x20 * validators.length)}6000f3`,
  ])

/** The data of a transaction that replaces the code of a contract. */
export const replacement = (code: Address): Uint8Array => concatBytes(new Uint8Array(12), code)

/** A genesis file whose nodes ask these contracts, which decide by `first` until somebody replaces it. */
export function withDecidingContracts(
  genesis: Readonly<Record<string, unknown>>,
  validators: readonly Address[],
  admin: Address,
  first: Uint8Array,
): object {
  const { config, alloc } = genesis as { readonly config: { readonly qbft: object }; readonly alloc: object }
  const firstAt = `0x${'00'.repeat(18)}8880`
  const storage = { '0x0': toHex(bigIntToFixed(BigInt(firstAt), 32)) }
  const contract = (code: Uint8Array) => ({ balance: '0x0', code: toHex(code), storage })
  return {
    ...genesis,
    config: { ...config, qbft: { ...config.qbft, validatorcontractaddress: toHex(deciding.validators) } },
    extraData: toHex(bftGenesisExtraData(qbftCodec, [])),
    // Blocks without a limit worth the name, as many networks have.
    gasLimit: '0x1fffffffffffff',
    alloc: {
      ...alloc,
      [firstAt.slice(2)]: { balance: '0x0', code: toHex(first) },
      [toHex(deciding.accounts).slice(2)]: contract(accountsCode(admin)),
      [toHex(deciding.nodes).slice(2)]: contract(nodesCode()),
      [toHex(deciding.validators).slice(2)]: contract(validatorsCode(validators)),
    },
  }
}

/** The options of a node that asks them. */
export const decidingOptions: readonly string[] = [
  '--permissions-accounts-contract-enabled',
  `--permissions-accounts-contract-address=${toHex(deciding.accounts)}`,
  '--permissions-nodes-contract-enabled',
  `--permissions-nodes-contract-address=${toHex(deciding.nodes)}`,
  '--permissions-nodes-contract-version=2',
]
