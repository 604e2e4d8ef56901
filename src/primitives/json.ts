/** An object of JSON. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value of JSON is an object. */
export function isJsonObject(json: unknown): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}
