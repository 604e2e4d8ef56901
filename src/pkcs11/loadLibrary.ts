import { TokenError } from './fault.ts'
import { returnCodeName } from './returnCodes.ts'

// A PKCS#11 library exports one function, which returns a list of pointers to all others. Only unsigned longs, bytes and pointers are passed:
// structures are written as words into memory that is passed as a pointer, so that this is all that has to be known of C. Words have 64 bits on the systems
// that are supported; Windows packs the list and has longs of 32 bits.

/** The order of the functions in the list. */
const order =
  `C_Initialize C_Finalize C_GetInfo C_GetFunctionList C_GetSlotList C_GetSlotInfo C_GetTokenInfo C_GetMechanismList
  C_GetMechanismInfo C_InitToken C_InitPIN C_SetPIN C_OpenSession C_CloseSession C_CloseAllSessions C_GetSessionInfo C_GetOperationState
  C_SetOperationState C_Login C_Logout C_CreateObject C_CopyObject C_DestroyObject C_GetObjectSize C_GetAttributeValue
  C_SetAttributeValue C_FindObjectsInit C_FindObjects C_FindObjectsFinal C_EncryptInit C_Encrypt C_EncryptUpdate C_EncryptFinal
  C_DecryptInit C_Decrypt C_DecryptUpdate C_DecryptFinal C_DigestInit C_Digest C_DigestUpdate C_DigestKey C_DigestFinal C_SignInit C_Sign
  C_SignUpdate C_SignFinal C_SignRecoverInit C_SignRecover C_VerifyInit C_Verify C_VerifyUpdate C_VerifyFinal C_VerifyRecoverInit
  C_VerifyRecover C_DigestEncryptUpdate C_DecryptDigestUpdate C_SignEncryptUpdate C_DecryptVerifyUpdate C_GenerateKey C_GenerateKeyPair
  C_WrapKey C_UnwrapKey C_DeriveKey`.split(/\s+/)

/** The functions that are used, and their parameters: b(yte), u(nsigned long), p(ointer). */
const used = {
  C_Initialize: 'p',
  C_GetSlotList: 'bpp',
  C_GetTokenInfo: 'up',
  C_OpenSession: 'uuppp',
  C_Login: 'uupu',
  C_DestroyObject: 'uu',
  C_GetAttributeValue: 'uupu',
  C_FindObjectsInit: 'upu',
  C_FindObjects: 'upup',
  C_FindObjectsFinal: 'u',
  C_DecryptInit: 'upu',
  C_Decrypt: 'upupp',
  C_SignInit: 'upu',
  C_Sign: 'upupp',
  C_GenerateKey: 'uppup',
  C_WrapKey: 'upuupp',
  C_DeriveKey: 'upupup',
} as const

export type FunctionName = keyof typeof used

/** Memory that is passed to the library. */
export type Memory = Buffer | BigUint64Array<ArrayBuffer> | null

export type Argument = number | bigint | Memory

/** A PKCS#11 library in this process. It may do anything: block, crash, or keep what it has read. */
export interface Cryptoki {
  /** Throws a `TokenError` with the name of the return code unless the call succeeds. */
  call(name: FunctionName, ...args: readonly Argument[]): void
  addressOf(memory: Exclude<Memory, null>): bigint
}

const pointerSize = 8
/** What keeps the libraries: koffi unloads one that nothing refers to, and does not know that the functions of its list belong to it. */
const loaded = new Set<unknown>()
const types = { b: 'uint8_t', u: 'unsigned long', p: 'void *' } as const

/** koffi is an optional dependency: only who keeps a key in a token needs it. */
async function loadKoffi(library: string) {
  try {
    return (await import('koffi')).default
  } catch (error) {
    const reason =
      'the package koffi, which calls it, is not installed or has no binary for this system: npm install koffi'
    throw new TokenError({ code: 'NO_LIBRARY', library, reason }, error)
  }
}

export async function loadLibrary(library: string): Promise<Cryptoki> {
  const fault = (reason: string, cause?: unknown) => new TokenError({ code: 'NO_LIBRARY', library, reason }, cause)
  if (process.platform === 'win32' || !/64|s390x/.test(process.arch))
    throw fault('tokens need Linux or macOS with 64 bits')
  const koffi = await loadKoffi(library)
  let list: unknown
  try {
    const handle = koffi.load(library)
    loaded.add(handle)
    const getFunctionList = handle.func('C_GetFunctionList', types.u, [types.p])
    const found = new BigUint64Array(1)
    const code = Number(getFunctionList(found))
    if (code !== 0) throw new Error(`C_GetFunctionList failed: ${returnCodeName(code)}`)
    list = found[0]
  } catch (error) {
    throw fault((error as Error).message, error)
  }
  const functions = new Map<FunctionName, (...args: readonly Argument[]) => number | bigint>()
  for (const [name, parameters] of Object.entries(used)) {
    // The list begins with a version, which takes a whole word.
    const pointer: unknown = koffi.decode(list, (1 + order.indexOf(name)) * pointerSize, types.p)
    const type = koffi.proto(
      types.u,
      [...parameters].map((letter) => types[letter as keyof typeof types]),
    )
    functions.set(name as FunctionName, koffi.decode(pointer, type))
  }
  return {
    call(name, ...args) {
      const code = Number(functions.get(name)!(...args))
      if (code !== 0) throw new TokenError({ code: 'CALL_FAILED', call: name, name: returnCodeName(code) })
    },
    addressOf: (memory) => koffi.address(memory),
  }
}
