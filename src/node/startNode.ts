export async function startNode(): Promise<void> {}
