#include "pipeline/generate/languages.h"

namespace thresher::pipeline::synthetic {
namespace {

Language German() {
  return {.charsets = {{"iso-8859-1", Transfer::kQuotedPrintable},
                       {"iso-8859-1", Transfer::k8Bit},
                       {"windows-1252", Transfer::kQuotedPrintable},
                       {"utf-8", Transfer::k8Bit}},
          .names = Split("Jürgen Möller|Käthe Groß|Björn Schäfer|Sabine Krüger"),
          .ham_subjects = Split("Grüße aus {place}|Termin nächste Woche|Rückfrage zu {coined}|Schöne Fotos"),
          .ham_lines = Split("Vielen Dank für die schnelle Antwort, ich melde mich nächste Woche.|"
                             "Könntest du bitte die Unterlagen für {coined} prüfen?|"
                             "Wir treffen uns um {time} vor dem Büro, wenn es nicht regnet.|"
                             "Die Kinder waren müde, aber der Ausflug war schön.|"
                             "Im Anhang findest du die überarbeitete Fassung.|"
                             "Für das Frühstück müssten wir noch Brötchen und Käse kaufen.|"
                             "Über {rare} sprechen wir am besten persönlich.|"
                             "Meine Mutter lässt dich herzlich grüßen."),
          .spam_subjects =
              Split("Kredit ohne Schufa für Sie|{money} geschenkt|Günstige Tabletten|Sie haben gewonnen"),
          .spam_lines = Split("Sofortkredit bis {money} auch bei negativer Auskunft: {url}|"
                              "Bestellen Sie günstig und diskret ohne Rezept.|"
                              "Glückwunsch, Sie wurden für unseren Hauptgewinn ausgewählt!|"
                              "Verdienen Sie {money} pro Woche von zu Hause.|"
                              "Nur für kurze Zeit: Rabatt auf alle Uhren: {url}|"
                              "Bestätigen Sie Ihr Konto, sonst müssen wir es schließen: {url}")};
}

Language French() {
  return {
      .charsets = {{"iso-8859-1", Transfer::kQuotedPrintable},
                   {"windows-1252", Transfer::k8Bit},
                   {"utf-8", Transfer::kQuotedPrintable}},
      .names = Split("François Lefèvre|Hélène Béranger|Jérôme Ménard|Zoé Forêt"),
      .ham_subjects = Split("Réunion à {place}|Ta visite cet été|Réponse au sujet de {coined}|Bonne fête"),
      .ham_lines = Split("Merci beaucoup pour ton message, ça m'a fait très plaisir.|"
                         "Le train arrive à {time}, peux-tu venir nous chercher à la gare?|"
                         "J'ai relu le dossier {coined} et j'ai ajouté quelques remarques.|"
                         "Les élèves ont préparé une pièce de théâtre pour la fête de l'école.|"
                         "Il a neigé toute la journée, nous sommes restés à la maison.|"
                         "N'oublie pas d'apporter le gâteau et les bougies.|"
                         "Je t'appelle dès que j'ai la réponse de {rare}."),
      .spam_subjects =
          Split("Votre prêt est accordé|Vous avez gagné {money}|Dernière chance|Médicaments à prix réduit"),
      .spam_lines = Split("Obtenez un prêt de {money} sans justificatif: {url}|"
                          "Félicitations, votre adresse a été tirée au sort!|"
                          "Achetez vos médicaments sans ordonnance, livraison discrète.|"
                          "Gagnez de l'argent dès aujourd'hui grâce à notre méthode: {url}|"
                          "Votre compte sera bloqué si vous ne le vérifiez pas: {url}|"
                          "Rencontrez des célibataires près de chez vous.")};
}

Language Spanish() {
  return {
      .charsets = {{"iso-8859-1", Transfer::k8Bit}, {"utf-8", Transfer::kBase64}},
      .names = Split("José Muñoz|María Peña|Iñigo Gutiérrez|Lucía Ibáñez"),
      .ham_subjects = Split("Reunión en {place}|Las fotos del niño|Pregunta sobre {coined}|Feliz cumpleaños"),
      .ham_lines = Split("Muchas gracias por tu correo, te contesto mañana con más calma.|"
                         "¿Puedes enviarme otra vez el informe de {coined}?|"
                         "Quedamos a las {time} en la estación, como el año pasado.|"
                         "La abuela está mejor y ya camina por el jardín.|"
                         "He revisado la traducción y sólo falta el último capítulo.|"
                         "Mañana compro el billete para {place}.|"
                         "El señor de {rare} llamó otra vez por la factura."),
      .spam_subjects =
          Split("Gane {money} sin salir de casa|Usted ha sido elegido|Crédito rápido|Última oportunidad"),
      .spam_lines = Split("Crédito rápido de {money} sin aval ni papeleo: {url}|"
                          "¡Enhorabuena! Su número ha sido premiado en nuestra lotería.|"
                          "Baje de peso en {number} días con nuestra fórmula.|"
                          "Base de datos de {number} empresas con correo electrónico: {url}|"
                          "Su cuenta será suspendida, verifíquela aquí: {url}")};
}

Language Russian() {
  return {
      .charsets = {{"koi8-r", Transfer::k8Bit}, {"koi8-r", Transfer::kBase64}, {"utf-8", Transfer::kBase64}},
      .names = Split("Иван Петров|Ольга Смирнова|Дмитрий Волков|Наталья Орлова"),
      .ham_subjects = Split("Встреча в пятницу|Вопрос про {coined}|Фотографии с дачи|Привет"),
      .ham_lines = Split("Спасибо за письмо, отвечу подробнее на выходных.|"
                         "Посмотри, пожалуйста, отчёт по {coined}, там ошибка в таблице.|"
                         "Мы приедем в {time}, поезд немного опаздывает.|"
                         "Бабушка передаёт привет и просит прислать фотографии.|"
                         "На даче поспели яблоки, приезжай в субботу.|"
                         "Сборка прошла, но тесты пока падают.|"
                         "Статью про {rare} я отправил рецензенту."),
      .spam_subjects =
          Split("Рассылка по базе|Кредит за один день|Скидки до {percent}|Семинар для бухгалтеров"),
      .spam_lines = Split("Рекламная рассылка по базе из {number} адресов, недорого.|"
                          "Кредит без справок и поручителей за один день: {url}|"
                          "Семинар: налоги и оптимизация. Звоните прямо сейчас.|"
                          "Швейцарские часы, точные копии, доставка: {url}|"
                          "Похудеть легко! Закажите наш чай со скидкой {percent}.|"
                          "Девушки ждут знакомства с вами: {url}")};
}

Language Chinese() {
  return {
      .charsets = {{"gb2312", Transfer::kBase64}, {"gb2312", Transfer::k8Bit}, {"utf-8", Transfer::kBase64}},
      .names = Split("王小明|李红|张伟|陈静"),
      .ham_subjects = Split("关于{coined}的问题|周五开会|照片收到了|论文修改意见"),
      .ham_lines =
          Split("谢谢你的来信,我下周再详细回复。|请帮我看看{coined}的编译错误。|会议改到{time},地点不变。|"
                "妈妈身体好多了,让我向你问好。|论文第三章还需要补充实验数据。|昨天我们去爬山,天气很好。|"
                "服务器又连不上了,可能是网络的问题。|{rare}的书我已经还给图书馆了。"),
      .spam_subjects = Split("代开发票|免费赠送{money}|企业管理培训|优惠{percent}"),
      .spam_lines = Split("本公司代开各类发票,点数优惠,请来电洽谈。|企业管理培训班火热报名中,名额有限。|"
                          "免费注册即送{money},点击这里:{url}|工厂直销,价格低廉,质量保证。|"
                          "群发软件,{number}个邮件地址,只要{money}。|恭喜您中奖,请速与我们联系:{url}")};
}

Language Japanese() {
  return {
      .charsets = {{"iso-2022-jp", Transfer::k7Bit},
                   {"shift_jis", Transfer::kBase64},
                   {"shift_jis", Transfer::k8Bit},
                   {"utf-8", Transfer::kBase64}},
      .names = Split("田中太郎|佐藤花子|鈴木健|山本直美"),
      .ham_subjects = Split("{coined}について|会議の件|写真ありがとう|来週の予定"),
      .ham_lines = Split(
          "お世話になっております。先日はありがとうございました。|{coined}の資料を確認していただけますか。|"
          "明日は{time}に駅で待ち合わせましょう。|京都の紅葉がとてもきれいでした。|"
          "修正したファイルを添付しますので、ご覧ください。|テストはまだ失敗しています。|"
          "母も元気で、庭の花を育てています。|{rare}の本は来週返します。"),
      .spam_subjects = Split("未承諾広告|{money}プレゼント|今だけ無料|当選おめでとうございます"),
      .spam_lines =
          Split("今だけ完全無料で登録できます。{url}|簡単な副業で毎週{money}の収入。|"
                "素敵な出会いがあなたを待っています。{url}|おめでとうございます!特別賞に当選しました。|"
                "ブランド時計が激安、{percent}引き。|ご融資は即日、審査なし。{url}")};
}

}  // namespace

const std::vector<Language>& Languages() {
  static const std::vector<Language> languages = {German(),  French(),  Spanish(),
                                                  Russian(), Chinese(), Japanese()};
  return languages;
}

}  // namespace thresher::pipeline::synthetic
