/** Where something stands in code, in bytes. */
export interface Place {
  readonly start: number
  readonly length: number
}

/** Places of libraries' addresses: source → name → places. */
export type LinkReferences = Readonly<Record<string, Readonly<Record<string, readonly Place[]>>>>

/** Places of immutable values: number of the variable in the syntax tree → places. */
export type ImmutableReferences = Readonly<Record<string, readonly Place[]>>

/** CBOR data that the compiler appended: `1`, `2`, … → where, and which (hexadecimal). The hash of the metadata is in it. */
export type Auxdata = Readonly<Record<string, { readonly offset: number; readonly value: string }>>

/** Code as it was compiled: hexadecimal digits without 0x, with placeholders for libraries. */
export interface CompiledCode {
  readonly code: string
  readonly sourceMap?: string | undefined
  readonly linkReferences: LinkReferences
  /** Undefined where it could not be found. */
  readonly auxdata: Auxdata | undefined
}

/** What compiling gave of one contract. */
export interface CompiledContract {
  readonly abi: readonly unknown[]
  readonly userdoc?: unknown
  readonly devdoc?: unknown
  readonly storageLayout?: unknown
  readonly transientStorageLayout?: unknown
  /** JSON text. */
  readonly metadata?: string | undefined
  readonly sourceIds: Readonly<Record<string, { readonly id: number }>>
  readonly creation: CompiledCode
  readonly runtime: CompiledCode & { readonly immutableReferences: ImmutableReferences }
}

/** A difference between code that was compiled and code on the chain that does not count, as Sourcify lists them. */
export interface Transformation {
  readonly type: 'insert' | 'replace' | 'delete'
  readonly reason: 'constructorArguments' | 'library' | 'immutable' | 'cborAuxdata' | 'callProtection'
  readonly offset: number
  readonly id?: string
  readonly length?: number
}

/** What stands on the chain at such places; hexadecimal with 0x. */
export interface TransformationValues {
  readonly constructorArguments?: string
  readonly callProtection?: string
  readonly libraries?: Readonly<Record<string, string>>
  readonly immutables?: Readonly<Record<string, string>>
  readonly cborAuxdata?: Readonly<Record<string, string>>
}
