export const loadConvoList = async () => (await import('../sidebar/loaded-convo-list.tsx')).LoadedConvoList;
