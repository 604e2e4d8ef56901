import type { JsonObject } from '../../primitives/json.ts'

/** What a user needs to be allowed where users log in; reading is for those who may read the code. */
export type SourcePermission = 'eth_getCode' | 'sources_verify' | 'sources_share'

/** A request that was read. */
export interface Asked {
  /** What the pattern of the path found. */
  readonly found: readonly string[]
  readonly query: URLSearchParams
  /** Of a request with JSON. */
  readonly body: JsonObject
  /** Of a request with a form: its fields and those of the query. */
  readonly fields: URLSearchParams
  /** Address of who asks. */
  readonly client: string
  /** Throws a SourceError if who asks may not do that. */
  permit(permission: SourcePermission): void
}

/** JSON, or another page. */
export type Answer =
  | { readonly status: number; readonly json: unknown }
  | { readonly status: 302; readonly location: string }

/** A path, and what is answered there. */
export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: RegExp
  /** How the body is written. */
  readonly body?: 'json' | 'form'
  answer(asked: Asked): Answer | Promise<Answer>
}

export const ok = (json: unknown): Answer => ({ status: 200, json })
