// What the checker of reports says, in the language of the page that started the research.

export interface Marks {
  noSource: string;
  noQuote: string;
  /** In place of notes that a step has not written. */
  nothing: string;
  /** The number follows. */
  unsourced: string;
  unquoted: string;
}

function marks(noSource: string, noQuote: string, nothing: string, unsourced: string, unquoted: string): Marks {
  return { noSource: `⚠ *${noSource}*`, noQuote: `⚠ *${noQuote}*`, nothing: `*${nothing}*`, unsourced, unquoted };
}

export const ENGLISH = marks(
  'no source',
  'not in the sources',
  'Nothing was found out.',
  'Paragraphs without a source',
  'Quotes that are in no source',
);

/** By the first part of a language tag; Chinese has two scripts. */
export const MARKS: Readonly<Record<string, Marks>> = {
  en: ENGLISH,
  ar: marks('بلا مصدر', 'غير موجود في المصادر', 'لم يُعثر على شيء.', 'فقرات بلا مصدر', 'اقتباسات لا ترد في أي مصدر'),
  de: marks(
    'ohne Quelle',
    'nicht in den Quellen',
    'Nichts gefunden.',
    'Absätze ohne Quelle',
    'Zitate, die in keiner Quelle stehen',
  ),
  es: marks(
    'sin fuente',
    'no está en las fuentes',
    'No se encontró nada.',
    'Párrafos sin fuente',
    'Citas que no están en ninguna fuente',
  ),
  fr: marks(
    'sans source',
    'absent des sources',
    'Rien n’a été trouvé.',
    'Paragraphes sans source',
    'Citations absentes des sources',
  ),
  he: marks('ללא מקור', 'לא מופיע במקורות', 'לא נמצא דבר.', 'פסקאות ללא מקור', 'ציטוטים שאינם מופיעים באף מקור'),
  id: marks(
    'tanpa sumber',
    'tidak ada dalam sumber',
    'Tidak ada yang ditemukan.',
    'Paragraf tanpa sumber',
    'Kutipan yang tidak ada dalam sumber mana pun',
  ),
  it: marks(
    'senza fonte',
    'non presente nelle fonti',
    'Non è stato trovato nulla.',
    'Paragrafi senza fonte',
    'Citazioni non presenti in nessuna fonte',
  ),
  ja: marks('出典なし', '出典に記載なし', '何も見つかりませんでした。', '出典のない段落', 'どの出典にもない引用'),
  ko: marks('출처 없음', '출처에 없음', '찾은 내용이 없습니다.', '출처가 없는 단락', '어느 출처에도 없는 인용'),
  nl: marks(
    'geen bron',
    'niet in de bronnen',
    'Er is niets gevonden.',
    'Alinea’s zonder bron',
    'Citaten die in geen enkele bron staan',
  ),
  pl: marks(
    'brak źródła',
    'brak w źródłach',
    'Niczego nie znaleziono.',
    'Akapity bez źródła',
    'Cytaty, których nie ma w żadnym źródle',
  ),
  pt: marks(
    'sem fonte',
    'não consta nas fontes',
    'Nada foi encontrado.',
    'Parágrafos sem fonte',
    'Citações que não constam em nenhuma fonte',
  ),
  ru: marks(
    'без источника',
    'нет в источниках',
    'Ничего не найдено.',
    'Абзацы без источника',
    'Цитаты, которых нет ни в одном источнике',
  ),
  sv: marks(
    'ingen källa',
    'finns inte i källorna',
    'Inget hittades.',
    'Stycken utan källa',
    'Citat som inte finns i någon källa',
  ),
  tr: marks(
    'kaynak yok',
    'kaynaklarda yok',
    'Hiçbir şey bulunamadı.',
    'Kaynağı olmayan paragraflar',
    'Hiçbir kaynakta bulunmayan alıntılar',
  ),
  vi: marks(
    'không có nguồn',
    'không có trong các nguồn',
    'Không tìm thấy gì.',
    'Đoạn văn không có nguồn',
    'Trích dẫn không có trong nguồn nào',
  ),
  zh: marks('无来源', '来源中没有', '未找到任何内容。', '没有来源的段落', '任何来源中都没有的引文'),
  'zh-hant': marks('無來源', '來源中沒有', '未找到任何內容。', '沒有來源的段落', '任何來源中都沒有的引文'),
};

/** English where the language is unknown, as for clients of the REST API. */
export function marksIn(language: string | undefined): Marks {
  const tag = (language ?? '').toLowerCase();
  const name = /^zh-(?:tc|tw|hk|mo|hant)/.test(tag) ? 'zh-hant' : (tag.split('-')[0] ?? '');
  return Object.hasOwn(MARKS, name) ? (MARKS[name] ?? ENGLISH) : ENGLISH;
}
